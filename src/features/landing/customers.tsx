const voices = [
  {
    words:
      'I used to keep eighty customers in a spreadsheet and my head. Now I open one page in the morning and start at the top.',
    name: 'Marta Lindqvist',
    role: 'Independent wine importer, Malmö',
  },
  {
    words:
      'My old tool wanted to know how many seats I need. This one wants to know whom I am going to call. That is the difference.',
    name: 'Daniel Okafor',
    role: 'Software consultant, Lagos',
  },
  {
    words:
      'I deleted the wrong list on a Friday evening. Undo. It took longer to write this sentence than to get it back.',
    name: 'Ines Carvalho',
    role: 'Architectural lighting, Porto',
  },
] as const

export function Customers() {
  return (
    <section className="customers" id="customers" aria-labelledby="customers-title">
      <h2 id="customers-title">People who sell on their own</h2>
      <ul className="voices">
        {voices.map(({ words, name, role }) => (
          <li key={name}>
            <figure>
              <blockquote>
                <p>{words}</p>
              </blockquote>
              <figcaption>
                <strong>{name}</strong>
                <span>{role}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
