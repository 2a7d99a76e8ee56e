import type { ReactNode } from 'react'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

type LegalPageProps = { title: string; since: string; children: ReactNode }

/** A page of text behind a link of the footer. */
export function LegalPage({ title, since, children }: LegalPageProps) {
  return (
    <>
      <SiteHeader />
      <main id="main">
        <section className="legal">
          <h1>{title}</h1>
          <p className="small-print">In force since {since}.</p>
          {children}
        </section>
      </main>
      <SiteFooter />
    </>
  )
}
