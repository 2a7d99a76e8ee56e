import { Closing } from './closing.tsx'
import { Company } from './company.tsx'
import { Customers } from './customers.tsx'
import { Demo } from './demo.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import { Pricing } from './pricing.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import { Statistics } from './statistics.tsx'

/** Rendered to plain HTML when the product is built: it shows and works without a script. */
export function LandingPage() {
  return (
    <>
      <SiteHeader />
      <main id="main">
        <p className="site-notice" role="status" />
        <Hero />
        <Features />
        <Demo />
        <Statistics />
        <Customers />
        <Pricing />
        <Company />
        <Closing />
      </main>
      <SiteFooter />
    </>
  )
}
