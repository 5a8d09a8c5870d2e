"""What every layer may use, and what knows no mechanics.

wording     how messages name a value and a count
waiting     the spinner and the progress bar of long work
extras      the optional libraries and the extras that install them
renamed     old names that still work for one version
attached    methods of a class that are defined in a layer above it
arguments   checks of what a user passes: names, lists, flags, numbers
moved       old paths of modules that still work for one version
"""
