import { type CSSVariablesResolver, createTheme, rem } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Dialogs and menus appear at once for people who prefer reduced motion.
  respectReducedMotion: true,
  autoContrast: true,
  fontFamily: '"Inter Variable", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  // The title of a page, of a section and of a part of one.
  headings: {
    sizes: {
      h1: { fontSize: rem(26), lineHeight: '1.35' },
      h2: { fontSize: rem(18), lineHeight: '1.45' },
      h3: { fontSize: rem(16), lineHeight: '1.5' },
    },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'default' } },
    Alert: { defaultProps: { variant: 'light' } },
    Autocomplete: { defaultProps: { autoComplete: 'off' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', miw: 'max-content' } },
    CopyButton: { defaultProps: { timeout: 2_000 } },
    // No asterisks: optional fields are marked instead.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Menu: { defaultProps: { position: 'bottom-end' } },
    NumberInput: { defaultProps: { allowDecimal: false } },
    // A choice that may be empty has a button that empties it.
    Select: { defaultProps: { allowDeselect: false } },
    Tabs: { defaultProps: { keepMounted: false } },
    Text: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { autosize: true } },
    TextInput: { defaultProps: { autoComplete: 'off' } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      // Keeps the focused element clear of the header, which remains while a long dialog is scrolled.
      styles: { content: { scrollPaddingBlockStart: '4.5rem' }, title: { lineHeight: 1.35 } },
    },
  },
})

/** Darker than the library's own texts on a light ground of the same color, which is darker below the pointer. */
const textsOnLightGround = {
  '--mantine-color-green-light-color': '#1c5c29',
  '--mantine-color-indigo-light-color': '#2b3fa3',
  '--mantine-color-orange-light-color': '#8a2c06',
  '--mantine-color-red-light-color': '#a61e1e',
  '--mantine-color-teal-light-color': '#05543d',
  '--mantine-color-yellow-light-color': '#7a3e00',
}

/**
 * Secondary text, badges, red buttons and the errors of fields keep a contrast of 4.5 to 1, which the library's own colors do
 * not.
 */
export const readableColors: CSSVariablesResolver = ({ colors }) => {
  const redButtons = { '--mantine-color-red-filled': colors.red[8], '--mantine-color-red-filled-hover': colors.red[9] }
  const light = { '--mantine-color-dimmed': colors.gray[7], '--mantine-color-error': colors.red[9] }
  const dark = { '--mantine-color-dimmed': colors.dark[1], '--mantine-color-error': colors.red[4] }
  return { variables: {}, light: { ...light, ...redButtons, ...textsOnLightGround }, dark: { ...dark, ...redButtons } }
}
