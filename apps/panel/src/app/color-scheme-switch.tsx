import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconDeviceDesktop, IconMoon, IconSun } from '../components/icons';
import classes from './color-scheme-switch.module.css';

const CHOICES = [
  { value: 'light', name: 'Light', icon: IconSun },
  { value: 'auto', name: 'As the machine has it', icon: IconDeviceDesktop },
  { value: 'dark', name: 'Dark', icon: IconMoon },
] as const;

/** Light, dark, or what the machine says. */
export function ColorSchemeSwitch(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      className={classes.switch}
      fullWidth
      size="xs"
      aria-label="Colours"
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={CHOICES.map(({ value, name, icon: Sign }) => ({
        value,
        label: (
          <>
            <Sign size={15} aria-hidden className={classes.sign} />
            <VisuallyHidden>{name}</VisuallyHidden>
          </>
        ),
      }))}
    />
  );
}
