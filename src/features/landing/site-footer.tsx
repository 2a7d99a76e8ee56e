import { ProductMark } from '#ui/product-mark.tsx'

const groups = [
  {
    title: 'Product',
    links: [
      ['Features', '/#features'],
      ['Pricing', '/#pricing'],
      ['Demo', '/#demo'],
    ],
  },
  {
    title: 'Company',
    links: [
      ['About', '/#company'],
      ['Customers', '/#customers'],
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
    ],
  },
  {
    title: 'Account',
    links: [
      ['Log in', '/auth'],
      ['Sign up', '/auth?tab=signup'],
    ],
  },
] as const

/** Stands under every public page. */
export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="site-footer-row">
        <p className="brand">
          <ProductMark size={24} />
          Solo CRM
        </p>
        {groups.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(([name, href]) => (
                <li key={href}>
                  <a href={href}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p className="small-print site-footer-note">© 2026 Solo CRM</p>
    </footer>
  )
}
