import { isKnownZone } from './dates.ts'
import { plainWords } from './plain-words.ts'

/**
 * Renamed zones, old name to new. Browsers list different ones (Chrome Asia/Calcutta, Firefox Asia/Kolkata), and a
 * PostgreSQL server may know only the new one.
 */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Fort_Wayne': 'America/Indiana/Indianapolis',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Ashkhabad': 'Asia/Ashgabat',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Chungking': 'Asia/Shanghai',
  'Asia/Dacca': 'Asia/Dhaka',
  'Asia/Istanbul': 'Europe/Istanbul',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Macao': 'Asia/Macau',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Asia/Tel_Aviv': 'Asia/Jerusalem',
  'Asia/Thimbu': 'Asia/Thimphu',
  'Asia/Ujung_Pandang': 'Asia/Makassar',
  'Asia/Ulan_Bator': 'Asia/Ulaanbaatar',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Europe/Uzhgorod': 'Europe/Kyiv',
  'Europe/Zaporozhye': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Samoa': 'Pacific/Pago_Pago',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
  'US/Alaska': 'America/Anchorage',
  'US/Arizona': 'America/Phoenix',
  'US/Central': 'America/Chicago',
  'US/Eastern': 'America/New_York',
  'US/Hawaii': 'Pacific/Honolulu',
  'US/Mountain': 'America/Denver',
  'US/Pacific': 'America/Los_Angeles',
}

/** The current name of a zone, if this browser knows it. */
export function zoneOfToday(zone: string): string {
  const today = renamed[zone]
  return today && isKnownZone(today) ? today : zone
}

const shownZone = (zone: string) => zone.replaceAll('_', ' ')

/** Each zone once, by its current name. */
export function zoneChoices(zones: string[]): { value: string; label: string }[] {
  const known = [...new Set(zones.map(zoneOfToday))].sort()
  return known.map((zone) => ({ value: zone, label: shownZone(zone) }))
}

/** The time zones that a typed text means, also by their older names; first those of which a part begins with it. */
export function foundZones<Zone extends { value: string }>(zones: Zone[], text: string): Zone[] {
  const words = plainWords(text)
  const namesOf = ({ value }: Zone) =>
    [value, ...Object.keys(renamed).filter((old) => renamed[old] === value)].map(shownZone)
  const found = zones.filter((zone) =>
    namesOf(zone).some((name) => plainWords(name).includes(words)),
  )
  const begins = (zone: Zone) =>
    namesOf(zone).some((name) => name.split('/').some((part) => plainWords(part).startsWith(words)))
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))]
}
