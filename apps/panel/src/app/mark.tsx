import type { ReactNode } from 'react';
import classes from './mark.module.css';

/** The product's name and logo. */
export function Mark(): ReactNode {
  return (
    <span className={classes.mark}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden>
        <rect width="32" height="32" rx="9" fill="#1c6758" />
        <path
          d="M7 12.5 16 19l9-6.5M9.5 9h13A2.5 2.5 0 0 1 25 11.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 7 20.5v-9A2.5 2.5 0 0 1 9.5 9Z"
          fill="none"
          stroke="#f4f1e8"
          strokeWidth="2.2"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </svg>
      Postrider
    </span>
  );
}
