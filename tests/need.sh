# For scripts of tests, which source it: `need TOOL...` ends them with status 77, skipped, if one is not installed.
need() {
	for tool; do
		command -v "$tool" >/dev/null || {
			echo "skipped: $tool is not installed"
			exit 77
		}
	done
}
