import { ProductMark } from '#ui/product-mark.tsx'

/** Rendered to plain HTML when the product is built: a visitor loads no script for it. */
export function LandingPage() {
  return (
    <div className="landing">
      <header className="landing-header">
        <span className="landing-brand">
          <ProductMark size={28} />
          Solo CRM
        </span>
        <nav className="landing-nav" aria-label="Account">
          <a className="landing-link" href="/auth">
            Log in
          </a>
          <a className="landing-button" href="/auth?tab=signup">
            Sign up
          </a>
        </nav>
      </header>
      <main className="landing-main">
        <h1 className="landing-promise">Every customer, deal and next step, in one quiet place.</h1>
        <p className="landing-explanation">
          Solo CRM is for people who sell on their own. It keeps your contacts, companies, deals and
          tasks together, and shows you what comes next.
        </p>
      </main>
    </div>
  )
}
