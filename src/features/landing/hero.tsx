import { Shot } from './shot.tsx'
import { TrialButton } from './trial-button.tsx'

/** The promise, and the product itself below it. */
export function Hero() {
  return (
    <section className="hero">
      <h1>The CRM for a team of one.</h1>
      <p className="lead">
        Solo CRM keeps your contacts, companies, deals and tasks in one quiet place, and shows you
        every morning what comes next.
      </p>
      <div className="hero-actions">
        <TrialButton />
        <button className="button plain needs-script" type="button" data-opens="demo-dialog">
          <PlaySign />
          Watch demo
        </button>
        <noscript>
          <a className="button plain" href="#demo">
            <PlaySign />
            Watch demo
          </a>
        </noscript>
      </div>
      <p className="small-print">14-day free trial · No credit card · Cancel anytime</p>
      <Shot
        name="dashboard"
        alt="The dashboard: contacts, deals, companies and revenue at a glance, today’s tasks and what happened last."
        isFirst
      />
    </section>
  )
}

function PlaySign() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M2.5 1.2v9.6L10.6 6z" fill="currentColor" />
    </svg>
  )
}
