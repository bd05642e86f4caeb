import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { WaitingButton } from '../components/waiting-button';

/** The panel's own colours, light to dark. Grey is a little green, so that white paper and night both look calm. */
const PALETTE = {
  pine: ['#edf6f3', '#d9ebe5', '#b3d7cb', '#88c1ae', '#5fa992', '#3f917a', '#2a7b65', '#1c6758', '#155347', '#0d3d34'],
  gray: ['#f6f7f5', '#eef0ed', '#e1e5e1', '#cfd5d0', '#b2bab4', '#8d9791', '#67716b', '#4d5751', '#353e39', '#202723'],
  dark: ['#dfe6e2', '#b9c4be', '#95a29b', '#64726a', '#3d4a43', '#2f3a34', '#232c27', '#19211d', '#131a16', '#0d120f'],
  amber: ['#fdf5e3', '#f9e8c2', '#f2d28a', '#e9ba53', '#dca02b', '#bf8416', '#99660c', '#7c5108', '#603e08', '#432b06'],
  clay: ['#fcf0ed', '#f8dcd6', '#efb8ad', '#e49182', '#d76f5d', '#c25341', '#a83f2e', '#8c3224', '#6e271c', '#4d1a12'],
  sky: ['#edf4fa', '#d6e6f3', '#aacbe5', '#7bafd5', '#5395c4', '#377cad', '#286592', '#205277', '#19405d', '#102b40'],
  plum: ['#f6f1f8', '#e9ddee', '#d2bbdd', '#b898c9', '#9f76b5', '#865b9e', '#6f4886', '#5a396d', '#462c55', '#2f1d3a'],
} as const satisfies Record<string, MantineColorsTuple>;

const FONT =
  "'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, Vazirmatn, 'Noto Sans', 'Noto Sans Arabic', sans-serif";

/** The one design of the panel: own colours, small radii, roomy lines. */
export const THEME = createTheme({
  colors: { ...PALETTE, green: PALETTE.pine, red: PALETTE.clay, yellow: PALETTE.amber, blue: PALETTE.sky },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: FONT,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: {
    fontFamily: FONT,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '22px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // Text on a tint of its own colour has to keep 4.5 : 1.
    if (input.variant === 'light')
      return { ...colors, color: `var(--mantine-color-${input.color ?? 'pine'}-light-color)` };
    return colors;
  },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        styles: {
          title: { fontSize: '1.05rem', fontWeight: 620 },
          // Its header stays above what is scrolled, and would cover a field that gets the focus.
          content: { scrollPaddingBlockStart: '4.5rem' },
        },
        // A dialog's title is not a banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Button: { defaultProps: { radius: 'md', component: WaitingButton } },
    // Its placeholder for the focus is not an entry of a menu, and it confuses screen readers.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // What was typed is not changed unseen: the gateway says at the field what is allowed.
    NumberInput: { defaultProps: { hideControls: true, clampBehavior: 'none' } },
    Paper: { defaultProps: { radius: 'lg' } },
  },
});

/** Colours that have a meaning of their own, for both schemes; all texts keep 4.5 : 1 on the surfaces they stand on. */
export const RESOLVE_VARIABLES: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfbf9',
    '--mantine-color-text': PALETTE.gray[9],
    '--mantine-color-dimmed': '#5c665f',
    '--mantine-color-placeholder': '#667069',
    '--mantine-color-error': PALETTE.clay[6],
    '--mantine-color-anchor': PALETTE.pine[7],
    '--mantine-color-default-border': PALETTE.gray[2],
    '--surface': '#ffffff',
    '--surface-sunken': '#f3f5f2',
    '--line': PALETTE.gray[2],
    '--tint': PALETTE.pine[0],
    ...lightTexts(8),
  },
  dark: {
    '--mantine-color-body': PALETTE.dark[8],
    '--mantine-color-text': PALETTE.dark[0],
    '--mantine-color-dimmed': PALETTE.dark[2],
    '--mantine-color-placeholder': '#8b9991',
    '--mantine-color-error': PALETTE.clay[3],
    '--mantine-color-anchor': PALETTE.pine[3],
    '--mantine-color-default-border': PALETTE.dark[5],
    '--mantine-color-default': PALETTE.dark[7],
    '--surface': PALETTE.dark[7],
    '--surface-sunken': '#161d19',
    '--line': PALETTE.dark[6],
    '--tint': '#1a2b25',
    ...lightTexts(2),
  },
});

/** The text colour of tinted badges and buttons in every colour. */
function lightTexts(shade: 2 | 8): Record<string, string> {
  const names = ['pine', 'amber', 'clay', 'sky', 'plum', 'gray', 'green', 'red', 'yellow', 'blue'];
  return Object.fromEntries(
    names.map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-${shade})`]),
  );
}

/** The nonce under which the page's content security policy lets styles be written; '' where there is none. */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
