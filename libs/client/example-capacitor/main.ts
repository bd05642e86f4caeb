import { startPush } from './push';

const SERVICE = { url: 'https://push.example.com', appId: 'shop', token: 'a token with the scope devices' };

/** Lists what arrives while the application is open. Messages are put on the page as text, never as markup. */
startPush(SERVICE)
  .then(({ client }) =>
    client.on('message', (message) => {
      const line = document.createElement('li');
      line.textContent = message.notification?.body ?? message.content;
      document.querySelector('#messages')?.append(line);
    }),
  )
  .catch(console.warn);
