import { plan } from '#domain/plan.ts'
import { TrialButton } from './trial-button.tsx'

export function Pricing() {
  return (
    <section className="pricing" id="pricing" aria-labelledby="pricing-title">
      <h2 id="pricing-title">One plan, everything in it</h2>
      <p className="lead">Try it for 14 days. Then it is the price of one good lunch a month.</p>
      <article className="plan">
        <h3>{plan.name}</h3>
        <p className="price">
          <span>{plan.price}</span> {plan.period}
        </p>
        <ul>
          {plan.features.map((feature) => (
            <li key={feature}>
              <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <path d="M3 8.5l3.2 3.2L13 5" fill="none" stroke="currentColor" strokeWidth="1.8" />
              </svg>
              {feature}
            </li>
          ))}
        </ul>
        <TrialButton />
        <p className="small-print">14-day free trial · No credit card · Cancel anytime</p>
      </article>
    </section>
  )
}
