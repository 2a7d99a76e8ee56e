import { TrialButton } from './trial-button.tsx'

export function Closing() {
  return (
    <section className="closing" aria-labelledby="closing-title">
      <h2 id="closing-title">Your next customer is already in your list.</h2>
      <TrialButton />
      <p className="small-print">14-day free trial · No credit card · Cancel anytime</p>
    </section>
  )
}
