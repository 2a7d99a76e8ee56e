/**
 * The colours of the product, defined only here. The app's theme uses them, and the HTML pages have them as custom
 * properties from the first paint on.
 */
export const tokens = {
  light: {
    page: '#fafafb',
    surface: '#ffffff',
    hairline: '#e7e7ec',
    'field-edge': '#cbccd5',
    'tick-edge': '#8a8d99',
    text: '#17181c',
    'text-quiet': '#5f6370',
    accent: '#5b5bd6',
    'accent-hover': '#5151c4',
    'on-accent': '#ffffff',
    danger: '#c62a2f',
    'danger-hover': '#ad2328',
    good: '#207533',
  },
  dark: {
    page: '#0f1014',
    surface: '#16171d',
    hairline: '#26272f',
    'field-edge': '#3d3f4b',
    'tick-edge': '#6f7180',
    text: '#ececf1',
    'text-quiet': '#9a9cab',
    accent: '#8e8ff8',
    'accent-hover': '#a3a4fb',
    'on-accent': '#0f1014',
    danger: '#ff8b8b',
    'danger-hover': '#ffa0a0',
    good: '#69db7c',
  },
} as const

export type ColorScheme = keyof typeof tokens

export const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif"

/** The tokens of one scheme as custom properties: `{ '--solo-page': '#fafafb', … }`. */
export function tokenVariables(scheme: ColorScheme): Record<`--${string}`, string> {
  return Object.fromEntries(
    Object.entries(tokens[scheme]).map(([name, value]) => [`--solo-${name}`, value]),
  )
}

/**
 * The style sheet inside the page: it prevents a white flash in dark mode, and serves pages without scripts.
 */
export function firstPaintStyles(): string {
  return [
    `:root{color-scheme:light dark;--solo-font:${fontFamily};${declarations('light')}}`,
    `@media(prefers-color-scheme:dark){:root{${declarations('dark')}}}`,
    // The theme that the user chose, which may differ from the system's.
    `:root[data-mantine-color-scheme=light]{color-scheme:light;${declarations('light')}}`,
    `:root[data-mantine-color-scheme=dark]{color-scheme:dark;${declarations('dark')}}`,
    'body{margin:0;background:var(--solo-page);color:var(--solo-text)}',
  ].join('')
}

function declarations(scheme: ColorScheme): string {
  return Object.entries(tokenVariables(scheme))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}
