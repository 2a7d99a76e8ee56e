import { openSwitch } from '#lib/open-switch.ts'

export const searchSwitch = openSwitch()
