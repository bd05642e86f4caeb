import { Input, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RuleDraft } from '../../../model/segment-draft';
import classes from './builder.module.css';

const PAIR = /^\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?)\s*$/;

/** A circle on the map: so many metres around a point. A pair pasted into the first field fills both. */
export function PlaceValue(props: {
  place: RuleDraft['place'];
  label: string;
  error: string | undefined;
  onChange: (place: RuleDraft['place']) => void;
}): ReactNode {
  const { place, label, error, onChange } = props;
  const takeLatitude = (text: string): void => {
    const [, lat, lng] = PAIR.exec(text) ?? [];
    onChange(lat === undefined || lng === undefined ? { ...place, lat: text } : { ...place, lat, lng });
  };
  return (
    <div>
      <div className={classes.place}>
        <TextInput
          aria-label={`${label}: latitude`}
          placeholder="Latitude"
          inputMode="decimal"
          value={place.lat}
          error={error !== undefined}
          onChange={({ currentTarget }) => takeLatitude(currentTarget.value)}
        />
        <TextInput
          aria-label={`${label}: longitude`}
          placeholder="Longitude"
          inputMode="decimal"
          value={place.lng}
          error={error !== undefined}
          onChange={({ currentTarget }) => onChange({ ...place, lng: currentTarget.value })}
        />
        <TextInput
          aria-label={`${label}: radius in metres`}
          placeholder="Radius"
          inputMode="decimal"
          value={place.radius}
          error={error !== undefined}
          rightSection="m"
          onChange={({ currentTarget }) => onChange({ ...place, radius: currentTarget.value })}
        />
      </div>
      {error !== undefined && <Input.Error mt={5}>{error}</Input.Error>}
    </div>
  );
}
