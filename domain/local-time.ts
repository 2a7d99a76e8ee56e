/** 'YYYY-MM-DDTHH:mm' on the clock of this time zone, as a date-time field takes it. */
export function localTime(moment: string | number, timeZone: string): string {
  return new Date(onClock(new Date(moment).getTime(), timeZone)).toISOString().slice(0, 16)
}

/**
 * The moment at which the clock of this time zone shows a local time; null when it cannot be read. An
 * hour that the clock shows twice means its first; one that it leaves out, the hour after.
 */
export function momentAt(local: string, timeZone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local)) return null
  const wanted = Date.parse(`${local}Z`)
  if (Number.isNaN(wanted)) return null
  // The clock may change during the day, so both of its offsets around it are tried.
  const guesses = [-day, day].map((distance) => {
    const near = wanted + distance
    return wanted - (onClock(near, timeZone) - near)
  })
  const exact = guesses.filter((guess) => onClock(guess, timeZone) === wanted)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...guesses)).toISOString()
}

const day = 86_400_000

/** What the clock shows, as if it were the clock of UTC. */
function onClock(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(moment)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const shown = [part('month') - 1, part('day'), part('hour'), part('minute'), part('second')]
  return Date.UTC(part('year'), ...(shown as [number, number, number, number, number])) // five parts
}
