import type { MantineColorsTuple } from '@mantine/core';

/** The panel's own colours, light to dark. Grey is a little green, so that white paper and night both look calm. */
export const PALETTE = {
  pine: ['#edf6f3', '#d9ebe5', '#b3d7cb', '#88c1ae', '#5fa992', '#3f917a', '#2a7b65', '#1c6758', '#155347', '#0d3d34'],
  gray: ['#f6f7f5', '#eef0ed', '#e1e5e1', '#cfd5d0', '#b2bab4', '#8d9791', '#67716b', '#4d5751', '#353e39', '#202723'],
  dark: ['#dfe6e2', '#b9c4be', '#95a29b', '#64726a', '#3d4a43', '#2f3a34', '#232c27', '#19211d', '#131a16', '#0d120f'],
  amber: ['#fdf5e3', '#f9e8c2', '#f2d28a', '#e9ba53', '#dca02b', '#bf8416', '#99660c', '#7c5108', '#603e08', '#432b06'],
  clay: ['#fcf0ed', '#f8dcd6', '#efb8ad', '#e49182', '#d76f5d', '#c25341', '#a83f2e', '#8c3224', '#6e271c', '#4d1a12'],
  sky: ['#edf4fa', '#d6e6f3', '#aacbe5', '#7bafd5', '#5395c4', '#377cad', '#286592', '#205277', '#19405d', '#102b40'],
  plum: ['#f6f1f8', '#e9ddee', '#d2bbdd', '#b898c9', '#9f76b5', '#865b9e', '#6f4886', '#5a396d', '#462c55', '#2f1d3a'],
} as const satisfies Record<string, MantineColorsTuple>;
