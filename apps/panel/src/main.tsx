import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Panel } from './app/panel';
import { styleNonce } from './theme/theme';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the panel');
// The scroll lock of dialogs writes its styles under this nonce.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();
createRoot(root).render(
  <StrictMode>
    <Panel />
  </StrictMode>,
);
