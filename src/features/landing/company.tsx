export function Company() {
  return (
    <section className="company" id="company" aria-labelledby="company-title">
      <h2 id="company-title">A small company, on purpose</h2>
      <div className="company-text">
        <p>
          Most software for sales is made for the person who manages the sellers. It asks for
          reports, stages, seats and meetings. If you are the seller, the manager and the one who
          sends the invoice, all of that is in your way.
        </p>
        <p>
          We’re a few people who sell our own work, too. We make one product for one person, and we
          judge every screen by one question: does it get you to the next conversation?
        </p>
        <p>
          We keep your data where only you can read it, we load nothing from third parties, and you
          can take everything with you any day.
        </p>
      </div>
    </section>
  )
}
