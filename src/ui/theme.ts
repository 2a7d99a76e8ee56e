import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  rem,
} from '@mantine/core'
import { fontFamily, tokens, tokenVariables } from './tokens.ts'

/** Shared props of dialogs and drawers. */
const overThePage = {
  padding: 'var(--solo-dialog-side)',
  closeButtonProps: { 'aria-label': 'Close' },
  // Its header is not the banner landmark of the page.
  attributes: { header: { role: 'presentation' } },
}

const overThePageStyles = {
  header: { paddingBlock: `${rem(16)} ${rem(12)}` },
  title: {
    minWidth: 0,
    fontSize: rem(16),
    fontWeight: 600,
    lineHeight: 1.3,
    letterSpacing: '-0.011em',
    // A title may contain a long name.
    overflowWrap: 'anywhere',
  },
}

/** The Mantine theme. `cssVariablesResolver` sets what differs between light and dark. */
export const theme = createTheme({
  // A screen of 48em itself, such as an upright tablet, is narrow, as in our styles.
  breakpoints: { sm: '48.01em' },
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 4 },
  // Filled backgrounds are dark in light mode and bright in dark mode, so the text on them changes too. Words alone
  // have the colour of links.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'filled' ? { color: 'var(--solo-on-accent)' } : {}),
    ...(input.variant === 'subtle' && input.color === 'iris'
      ? { color: 'var(--solo-accent)' }
      : {}),
  }),
  white: tokens.light.surface,
  black: tokens.light.text,
  colors: {
    iris: [
      '#f1f1fe',
      '#e2e2fc',
      '#c9c9f8',
      '#acadf8',
      tokens.dark.accent,
      '#7273e6',
      tokens.light.accent,
      '#4f4fc2',
      '#4343a6',
      '#363685',
    ],
    gray: [
      tokens.light.page,
      '#f3f3f6',
      '#ededf1',
      tokens.light.hairline,
      '#cbccd5',
      '#a5a8b4',
      tokens.light['text-quiet'],
      '#4a4d58',
      '#2f3138',
      tokens.light.text,
    ],
    dark: [
      tokens.dark.text,
      '#c3c4d0',
      tokens.dark['text-quiet'],
      '#6b6d7a',
      tokens.dark.hairline,
      '#1e1f27',
      tokens.dark.surface,
      tokens.dark.page,
      '#0b0c0f',
      '#08090b',
    ],
  },
  fontFamily,
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.3' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.3' },
      h2: { fontSize: rem(16), lineHeight: '1.4' },
      h3: { fontSize: rem(14), lineHeight: '1.5' },
      h4: { fontSize: rem(13), lineHeight: '1.5' },
      h5: { fontSize: rem(12), lineHeight: '1.5' },
      h6: { fontSize: rem(12), lineHeight: '1.5' },
    },
  },
  spacing: { xs: rem(4), sm: rem(8), md: rem(16), lg: rem(24), xl: rem(40) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(16) },
  defaultRadius: 'sm',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: '0 8px 24px rgb(15 16 20 / 12%)',
    lg: '0 8px 24px rgb(15 16 20 / 12%)',
    xl: '0 8px 24px rgb(15 16 20 / 12%)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 'var(--solo-control-height)' },
    },
    Button: {
      defaultProps: { size: 'sm' },
      styles: { label: { fontWeight: 500 } },
      vars: () => ({ root: { '--button-height': 'var(--solo-control-height)' } }),
    },
    Input: {
      defaultProps: { size: 'sm' },
      vars: () => ({ wrapper: { '--input-height': 'var(--solo-control-height)' } }),
    },
    InputWrapper: {
      styles: {
        label: { fontWeight: 500, marginBottom: rem(4) },
        description: { marginBottom: rem(4) },
        error: { fontSize: rem(12), marginTop: rem(4) },
      },
    },
    Alert: {
      // Mantine's own backgrounds are too bright, most of all in dark mode.
      vars: (_theme: unknown, { color = 'iris' }: { color?: string }) => ({
        root: {
          '--alert-bg': `color-mix(in srgb, var(--mantine-color-${color}-filled) 12%, var(--solo-surface))`,
        },
      }),
      styles: {
        // In its own colour a yellow title could not be read.
        title: { color: 'var(--mantine-color-text)' },
        // The message may contain a long address.
        message: { overflowWrap: 'anywhere' },
      },
    },
    // The badge is bright in dark mode.
    Indicator: { styles: { indicator: { color: 'var(--solo-on-accent)' } } },
    // ARIA allows only options in a listbox.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
    // In the dark they stand out as strokes between some of the choices.
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Tabs: { styles: { tab: { minHeight: 'var(--solo-control-height)' } } },
    Menu: { styles: { item: { minHeight: 'var(--solo-control-height)' } } },
    Notification: {
      defaultProps: { radius: 'md', withBorder: true },
      styles: { description: { overflowWrap: 'anywhere' } },
    },
    Paper: { defaultProps: { radius: 'md' } },
    Modal: {
      defaultProps: { radius: 'md', ...overThePage },
      styles: overThePageStyles,
    },
    Drawer: { defaultProps: overThePage, styles: overThePageStyles },
    Kbd: { styles: { root: { fontFamily } } },
  },
})

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
})

function schemeVariables(scheme: keyof typeof tokens) {
  const colors = tokens[scheme]
  return {
    ...tokenVariables(scheme),
    // Mantine uses "body" for cards, dialogs and menus; the page has its own background.
    '--mantine-color-body': colors.surface,
    '--mantine-color-text': colors.text,
    '--mantine-color-dimmed': colors['text-quiet'],
    '--mantine-color-placeholder': colors['text-quiet'],
    '--mantine-color-anchor': colors.accent,
    '--mantine-color-default': colors.surface,
    '--mantine-color-default-border': colors.hairline,
    '--mantine-color-iris-filled-hover': colors['accent-hover'],
    '--mantine-color-red-filled': colors.danger,
    '--mantine-color-red-filled-hover': colors['danger-hover'],
    '--mantine-color-red-light-color': colors.danger,
    '--mantine-color-error': colors.danger,
  }
}
