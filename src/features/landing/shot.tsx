export type ShotName = 'dashboard' | 'contacts' | 'board' | 'tasks' | 'reports'

type ShotProps = {
  name: ShotName
  alt: string
  /** Visible without scrolling, so loaded eagerly. */
  isFirst?: boolean
}

const phone = '(max-width: 640px)'
const night = '(prefers-color-scheme: dark)'
const wide = { width: 2160, height: 1350 }
const narrow = { width: 780, height: 1200 }

/** A picture of the product, in the visitor's theme; on a phone, as it looks on a phone. */
export function Shot({ name, alt, isFirst = false }: ShotProps) {
  // Written by `npm run landing:pictures`; the build gives each its hashed name.
  const file = (kind: string) => `/src/features/landing/pictures/${name}-${kind}.webp`
  return (
    <picture className="shot">
      <source media={`${phone} and ${night}`} srcSet={file('phone-dark')} {...narrow} />
      <source media={phone} srcSet={file('phone-light')} {...narrow} />
      <source media={night} srcSet={file('dark')} {...wide} />
      <img
        src={file('light')}
        alt={alt}
        {...wide}
        {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      />
    </picture>
  )
}
