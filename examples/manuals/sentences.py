"""The sentences that all manuals share. Most speak of "the unit", and none of them answers a question."""

from __future__ import annotations

OVERVIEW = (
    "The unit is supplied ready for operation and retains its configuration without a battery.",
    "A two-line display indicates the present value and the status of both outputs.",
    "All parameters are accessible from the keypad of the unit or through the service connector.",
    "Continuous self-monitoring lets the unit report a fault before the reading becomes unreliable.",
    "Two relays and an analogue output are included, and each can be assigned to any measured value.",
    "The enclosure can be rotated on its base so that the display remains readable from a walkway.",
    "Up to thirty-two units can share one service bus, each with an individual address.",
    "The unit records its last ten thousand readings together with date and time.",
    "Personnel working on the unit should have read this manual up to the end of the installation section.",
    "Throughout this manual, span means the difference between the two ends of the selected range.",
    "Dimensional drawings and material certificates are available from the support desk.",
    "The nameplate on the side of the unit shows serial number, year of manufacture and order code.",
    "A tamper seal across the cover indicates whether the unit has been opened since it left production.",
    "Where several units are mounted side by side, label each one with its measuring point.",
    "The menu is available in nine languages, and the last selection is restored after a power failure.",
    "Terms printed in capitals correspond to the labels on the keypad of the unit.",
    "Accessories that are shown in illustrations are not necessarily included with the unit.",
)

SPECIFICATIONS = (
    "All figures were determined with the unit in still air and after an hour of operation.",
    "The signal output of the unit is galvanically isolated and may be earthed at one end.",
    "From one day to the next the unit repeats a reading to within a tenth of its stated error.",
    "The unit complies with the emission limits for industrial and for residential environments.",
    "Long lines increase the load on the output, so include the resistance of both conductors.",
    "The backlight switches off when no key is pressed, which leaves the outputs of the unit unaffected.",
    "Damping is adjustable between zero and one minute and applies to display and output alike.",
    "The relays of the unit are intended for signalling and must not switch motors directly.",
    "The stated error of the unit includes linearity, hysteresis and variation between production lots.",
    "Readings outside the selected range are displayed for information only.",
    "The enclosure of the unit tolerates salt mist and detergents but not concentrated solvents.",
    "Surge arresters are not part of the unit and should be provided where lines leave a building.",
    "Every unit is tested for two days before dispatch, and the test record is enclosed.",
    "Colours and lettering of the enclosure may differ from the illustrations.",
    "Technical details may change without notice where this improves the unit.",
)

ROWS = (
    ("Enclosure", ("die-cast aluminium", "glass-fibre polyamide", "stainless steel")),
    ("Ingress protection", ("IP66", "IP67", "IP68")),
    ("Weight", ("0.9 kg", "1.2 kg", "1.7 kg", "2.4 kg", "3.1 kg")),
    ("Output", ("4 to 20 mA, two relays", "4 to 20 mA with HART", "Modbus RTU, one relay")),
    ("Cable gland", ("M16", "M20", "two of M16")),
    ("Response time", ("0.5 s", "1 s", "2.5 s", "4 s")),
    ("Measuring error", ("0.2 % of span", "0.5 % of span", "1 % of span")),
)
"""Rows of the table of figures, with the values of which a model gets one."""

INSTALLATION = (
    "Select a shaded location where the display of the unit can be read from ground level.",
    "Pump vibration shortens the service life of the unit, which therefore needs a separate bracket.",
    "Route signal and power lines in separate ducts wherever possible.",
    "The unit may be mounted upright or horizontally, but the cable gland must never point upwards.",
    "Do not use the enclosure of the unit as a step or as a support for pipework.",
    "Connect the external earth terminal with a conductor no thinner than those of the supply.",
    "Allow space above the cover, because the electronics of the unit are withdrawn upwards.",
    "Close unused cable entries with the blanking plugs delivered with the unit.",
    "Enter the serial number in the plant log before the unit disappears behind insulation.",
    "A full-size drilling template is printed inside the packaging.",
    "An existing bracket from an older unit may remain in use unless it is distorted.",
    "Screened cable is required only where the line passes a frequency converter.",
    "Paint or sealing tape on the thread interrupts the earth connection of the unit.",
    "Outdoors, a small canopy over the unit keeps snow away from the keypad.",
    "Two persons are required wherever the unit is installed above head height.",
    "Protective caps stay on the unit until the pipework has been flushed.",
)

STEPS = (
    "Disconnect the supply and lock the switch.",
    "Check that the gasket is clean and lies flat.",
    "Position the unit with its mark pointing upwards.",
    "Insert all bolts by hand before tightening any.",
    "Lead the cable in from below, leaving a drip loop.",
    "Rotate the cover until the seal engages.",
    "Connect the supply and wait for the green lamp.",
)
"""Steps of installation, in their order; a manual leaves some of them out."""

CALIBRATION = (
    "Only zero and slope of the unit are adjustable, because linearity is set during production.",
    "The reference should be at least three times more precise than the error to be demonstrated.",
    "Record the reading before and after each adjustment, since both belong in the certificate.",
    "The unit requests the service code before it accepts a new value.",
    "A zero shift of more than a twentieth of span suggests damage rather than ageing.",
    "Disconnect the output of the unit from the control loop before you begin.",
    "Accept a calibration point only when the reading of the unit has stabilised.",
    "Two points are sufficient for routine work, whereas a certificate requires five.",
    "The unit retains its last three adjustments and can return to any of them.",
    "Attach the calibration label to the cover of the unit and not to the nameplate.",
    "A reference instrument taken from a cold vehicle has to rest beside the unit first.",
    "Plants without reference instruments can send the unit to our calibration service.",
    "If an adjustment is interrupted, the unit continues to operate with its previous values.",
    "Never adjust the unit while the process is starting up or shutting down.",
    "A unit that has been dropped requires complete calibration even without visible damage.",
    "Reference solutions and gases are used once and never returned to their container.",
)

MAINTENANCE = (
    "Inspect the unit on every round and report any lamp that is neither green nor dark.",
    "Condensation behind the window indicates that the cover of the unit was not closed completely.",
    "A water jet does not harm the enclosure, but keep it away from the cable gland.",
    "Apply a thin film of grease to the cover thread whenever the unit has been opened.",
    "Gaskets retain their compressed shape and should not be fitted a second time.",
    "Examine the cable for cracks where it enters the unit, particularly in sunny locations.",
    "There are no components inside the unit that require lubrication.",
    "Store the original packaging, since its foam inserts match only this enclosure.",
    "A brief entry in the plant log saves the next technician a lengthy search.",
    "Terminals loosen over the years and should be retightened at every inspection.",
    "Download the memory of the unit before any repair is attempted.",
    "Deposits that cannot be removed gently are soaked overnight and never scraped.",
    "Lamps, keys and relays of the unit can be exercised from the menu under Self-test.",
    "Components exposed to hazardous liquids may travel only with a signed declaration.",
    "Insects are attracted by the warmth of the unit and may lodge beneath the cover.",
)

TROUBLESHOOTING = (
    "A code disappears together with its cause but remains in the memory of the unit.",
    "If the display stays dark, measure the supply at the terminals before opening the unit.",
    "Erratic readings without any code are mostly caused by a disconnected screen.",
    "Have serial number, code and operating conditions at hand when contacting the support desk.",
    "The unit switches to its safe output whenever it can no longer trust its reading.",
    "Codes that return within an hour point to the wiring rather than to the unit.",
    "Exchanging two identical units quickly shows on which side the fault lies.",
    "Measurement continues during an alarm, and any key of the unit silences the horn.",
    "A red lamp without any code means that the unit could not complete its self-test.",
    "Most enquiries to the support desk end with a terminal that was not tightened.",
)

CODES_LEAD = (
    "The unit shows these codes on its display:",
    "Faults and alarms of the unit are identified by a code:",
    "The following codes may appear on the display of the unit:",
)

SPARE_PARTS = (
    "Components from other manufacturers may fit, but they invalidate the approval of the unit.",
    "Rubber components are stored in a cool, dark place.",
    "An enclosed leaflet explains how each component is fitted to the unit.",
    "Electronic modules are exchanged completely and arrive with standard parameters.",
    "A maintenance kit for two years of normal operation can be ordered with the unit.",
    "Components marked with a star may be fitted by trained personnel only.",
    "Returned electronics are recycled at no charge.",
    "Numbers from earlier catalogues are still recognised and converted.",
    "Orders quoting the serial number of the unit are dispatched the same day.",
    "Compare the component with the drawing in the cover of the unit before ordering.",
)

PARTS_LEAD = (
    "The following components of the unit are available:",
    "Components most frequently required:",
    "Please quote the number together with the serial number of the unit:",
)

FIRMWARE = (
    "Updating takes several minutes, during which the outputs of the unit hold their value.",
    "Parameters survive an update, although saving them beforehand is recommended.",
    "The unit rejects files intended for a different series.",
    "Never disconnect the supply while the lamp of the unit is flickering.",
    "Earlier versions can be restored at our workshop only.",
    "A unit that operates without problems does not have to be updated.",
    "The unit verifies the new file before discarding the previous version.",
    "After an update the unit restarts and repeats its self-test.",
    "Files and checksums are published on the download page of the service software.",
    "The version currently installed in the unit is shown in the menu under Info.",
    "Updates remain free of charge throughout the production of the series.",
)

FIRMWARE_LEAD = (
    "Changes in recent versions:",
    "The unit was delivered with one of these versions:",
    "Versions of this series and their improvements:",
)

WARRANTY = (
    "Damage caused by lightning, frost or aggressive detergents is excluded.",
    "Keep the delivery note, since the serial number alone does not prove when the unit was purchased.",
    "A repair does not extend the warranty of the unit.",
    "Breaking the tamper seal without our consent ends all claims for the electronics of the unit.",
    "Send the unit to the nearest workshop, cleaned and with a description of the symptoms.",
    "Gaskets, cartridges and other consumables are excluded.",
    "We decide whether the unit is repaired or exchanged.",
    "Removal and reinstallation of the unit are at the expense of the operator.",
    "Claims pass to a new owner together with the unit and its delivery note.",
    "Anything not mentioned here is governed by the warranty policy.",
    "A unit that has been modified or painted cannot be accepted.",
)

PARTS = (
    "gasket kit", "drying cartridge", "window for the cover", "display module", "terminal block",
    "cable gland with plug", "kit of four bolts", "wall bracket", "cover with chain", "service cable",
    "relay module", "weather canopy", "blank nameplate", "spanner for the cover",
)  # fmt: skip
"""Spare parts that every type has."""

MEANINGS = (
    "an interrupted conductor in the current loop", "insufficient supply voltage at the terminals",
    "a memory that can no longer be written", "a clock that has stopped", "moisture beneath the cover",
    "a key that is stuck", "a short circuit at one of the relays", "a bus address that is used twice",
    "parameters that contradict each other", "electronics that have overheated", "a lost adjustment",
    "a self-test that was not completed",
)  # fmt: skip
"""What a fault code of any type may stand for; completes 'stands for ...'."""

TRIGGERS = (
    "the loop current stays below {a} mA for {b} seconds", "the cover has been open for {b} minutes",
    "the reading does not change at all for {b} hours", "the upper limit is exceeded {b} times an hour",
    "the supply fails more than {b} times a day", "no message arrives on the bus for {b} minutes",
    "the reading changes by {b} % of span within a second", "there is memory for fewer than {b} readings",
    "an incorrect service code was entered {b} times", "damping conceals a change of {b} % of span",
)  # fmt: skip
"""What may set off an alarm; completes 'comes up when ...'."""

FIXES = (
    "prevents the clock from losing a day at the end of February", "makes the display readable in darkness",
    "stops the relays from chattering near the limit", "stores readings in order after a power failure",
    "answers requests on the bus in half the time", "no longer freezes when two keys are pressed together",
    "adds Finnish and Polish to the menu", "displays the serial number in the menu under Info",
    "keeps the output steady while the range is changed", "no longer forgets the name of the measuring point",
    "accepts service codes with a leading zero", "keeps the horn silent during the self-test",
)  # fmt: skip
"""What a firmware version of any type may have put right; completes 'Version x ...'."""
