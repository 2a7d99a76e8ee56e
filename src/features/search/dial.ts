type Labelled = { href: string; shown: string }

/**
 * Hands a number to the phone as a press on it in its record's row would: whoever listens there offers to log the call
 * afterwards.
 */
export function dial(number: Labelled, record: Labelled): void {
  const row = document.createElement('li')
  row.hidden = true
  const link = Object.assign(document.createElement('a'), linkOf(number))
  const about = Object.assign(document.createElement('a'), linkOf(record))
  about.dataset.rowLink = ''
  row.append(about, link)
  document.body.append(row)
  link.click()
  row.remove()
}

const linkOf = ({ href, shown }: Labelled) => ({ href, textContent: shown })
