import { ProductMark } from '#ui/product-mark.tsx'

const sections = [
  ['Features', '/#features'],
  ['Pricing', '/#pricing'],
  ['Customers', '/#customers'],
  ['Company', '/#company'],
] as const

/** Stands over every public page. */
export function SiteHeader() {
  return (
    <header className="site-header">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="site-header-row">
        <a className="brand" href="/">
          <ProductMark size={28} />
          Solo CRM
        </a>
        <nav className="site-nav" aria-label="Sections">
          <SectionLinks />
        </nav>
        <AccountLinks />
        {/* Works without a script. */}
        <details className="site-menu">
          <summary aria-label="Menu">
            <span className="burger" aria-hidden="true" />
          </summary>
          <nav aria-label="Menu">
            <SectionLinks />
          </nav>
        </details>
      </div>
    </header>
  )
}

function SectionLinks() {
  return sections.map(([name, href]) => (
    <a key={href} className="quiet-link" href={href}>
      {name}
    </a>
  ))
}

/** Both states take the same space, so that nothing moves when the script shows the right one. */
function AccountLinks() {
  return (
    <div className="account">
      <nav className="account-links" aria-label="Sign in" data-for="visitor">
        <a className="quiet-link" href="/auth">
          Log in
        </a>
        <a className="button" href="/auth?tab=signup">
          Sign up
        </a>
      </nav>
      <nav className="account-links" aria-label="Your workspace" data-for="user" hidden>
        <a className="button" href="/app/dashboard">
          Open app
        </a>
      </nav>
    </div>
  )
}
