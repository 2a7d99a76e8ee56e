type Labelled = { href: string; shown: string }

/**
 * Hands a number to the phone by a click on a hidden link in a hidden row of its record. The app listens to clicks on such
 * links, and offers to log the call afterwards.
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
