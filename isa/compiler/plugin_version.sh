#!/bin/sh
# Prints what is missing for the plugin, or nothing.
#   plugin_version.sh COMPILER HEADERS
version=$("$1" -dumpfullversion)
major=${version%%.*}
if [ "$major" != 12 ]; then
	echo "the plugin is for GCC 12, the compiler is $version: install gcc-12-plugin-dev-sparc64-linux-gnu"
elif [ ! -e "$2/gcc-plugin.h" ]; then
	echo "no plugin headers of the compiler: install gcc-$major-plugin-dev-sparc64-linux-gnu"
elif ! grep -q "version_string \"$version\"" "$2/version.h"; then
	echo "the compiler is $version, its plugin headers are of another version: install gcc-$major-plugin-dev-sparc64-linux-gnu"
fi
