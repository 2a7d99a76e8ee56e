import { openSwitch } from '#lib/open-switch.ts'

export const quickActionsSwitch = openSwitch()
