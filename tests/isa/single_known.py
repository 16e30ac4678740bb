"""Where qemu-sparc64 7.2 does not do what the manuals say."""


def reason(case, row, here, qemu):
    return None
