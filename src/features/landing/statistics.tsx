const statistics = [
  ['10k+', 'users'],
  ['99.9%', 'uptime'],
  ['$2.4B', 'in deals tracked'],
  ['150+', 'countries'],
] as const

export function Statistics() {
  return (
    <section className="statistics" aria-label="Solo CRM in numbers">
      <dl>
        {statistics.map(([figure, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
