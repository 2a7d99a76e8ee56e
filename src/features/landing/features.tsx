import { Shot, type ShotName } from './shot.tsx'

type Feature = { title: string; text: string; shot: ShotName; alt: string }

const features: Feature[] = [
  {
    title: 'Bring your list',
    text: 'Drop in the CSV file from Google, Outlook, LinkedIn, HubSpot or Pipedrive. Columns are matched for you, a dry run shows what will be new, updated or duplicated, and one click undoes the whole import.',
    shot: 'contacts',
    alt: 'The list of contacts with their companies, phone numbers and lead status.',
  },
  {
    title: 'See every deal where it stands',
    text: 'A board for each pipeline, with your own stages. Drag a card, press a key or use the menu: the sums follow at once. A deal left alone for two weeks tells you before it goes cold.',
    shot: 'board',
    alt: 'The board of deals by stage, from lead to closed won, with the sum of each column.',
  },
  {
    title: 'Know what’s next',
    text: 'Tasks with a time, a priority and the person they are about. Reminders in the browser, your open tasks in your own calendar, repeating ones included. Today is one list, and it ends.',
    shot: 'tasks',
    alt: 'Tasks with their due dates and priorities, the overdue ones first.',
  },
  {
    title: 'Numbers that are yours',
    text: 'What was added and won on any day, the pipeline by stage, the forecast by month, how long a deal takes and why one was lost. Every figure can be saved as a file or printed.',
    shot: 'reports',
    alt: 'Reports with revenue closed, pipeline value and charts by stage and month.',
  },
]

const more = [
  [
    'Find anything',
    'Press / and type. A hundred thousand contacts, searched as you type, accents and phone digits included.',
  ],
  [
    'One line is enough',
    '“call Anna @Acme tue 3pm renewal $5k” becomes a contact, a company, a deal and a task.',
  ],
  ['Undo everything', 'Deleted, merged, imported, moved: every step can be undone.'],
  [
    'Duplicates, merged',
    'The same person twice is found by address, number or name. Nothing is lost when two become one.',
  ],
  [
    'Everything by keyboard',
    'Every list, board and form. Press ? to see how. The mouse works too.',
  ],
  [
    'Your data stays yours',
    'One click saves everything in a file, and another brings it back. Lists become CSV files for your spreadsheet.',
  ],
] as const

export function Features() {
  return (
    <section className="features" id="features" aria-labelledby="features-title">
      <h2 id="features-title">Everything a seller needs. Nothing a sales team needs.</h2>
      {features.map(({ title, text, shot, alt }) => (
        <article className="feature" key={title}>
          <div className="feature-text">
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
          <Shot name={shot} alt={alt} />
        </article>
      ))}
      <ul className="more">
        {more.map(([title, text]) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
