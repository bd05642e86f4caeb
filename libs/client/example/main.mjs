import { createClient } from '@postrider/client';

const form = document.querySelector('#settings');
const show = (place, text) => (document.querySelector(place).textContent = text);

/** Adds a line of text. Messages come from others: they are put on the page as text, never as markup. */
function addLine(list, text, decorate = () => undefined) {
  const line = document.createElement('li');
  line.textContent = text;
  decorate(line);
  document.querySelector(list).append(line);
}

let client = null;

async function start({ user, vapidPublicKey, ...options }) {
  await client?.close();
  client = createClient({ ...options, connectionUrl: options.connectionUrl || undefined });
  client.on('connected', ({ userId }) => show('#status', `Connected as ${userId}`));
  client.on('disconnected', ({ reason, retryInMs }) =>
    show('#status', `Disconnected (${reason})${retryInMs === null ? '' : `, next try in ${retryInMs} ms`}`),
  );
  client.on('error', (error) => addLine('#log', `error ${error.code}: ${error.message}`));
  client.on('deepLink', ({ link }) => addLine('#log', `deep link ${link}`));
  client.on('notification', ({ action, messageId }) => addLine('#log', `notification ${action} ${messageId}`));
  client.on('message', (message) => received(client, message));
  // The worker shows notifications, those that the page asks for too; it finds the rest in the storage that both share.
  await navigator.serviceWorker.register(`./service-worker.js?app=${encodeURIComponent(options.appId)}`);
  await become(user);
  client.connect();
}

/** Makes a user, or without one a guest, the owner of this device. What the former owner got does not stay on the page. */
async function become(user) {
  const former = await client.identity();
  if (user) await client.signIn(user);
  else if (former?.isGuest === false) await client.signOut();
  else await client.register();
  // None if a user signed out and the application takes no guests.
  const present = await client.identity();
  if (former?.userId !== present?.userId) document.querySelector('#messages').replaceChildren();
  show('#identity', present?.installationId ?? '');
}

async function received(from, message) {
  addLine('#messages', message.notification?.body || message.content || '', (line) => {
    line.dataset.id = message.id;
    const button = document.createElement('button');
    button.textContent = 'Open';
    button.addEventListener('click', () => void from.receipts.opened(message));
    line.append(' ', button);
  });
  if (await from.showNotification(message)) addLine('#log', `shown ${message.id}`);
}

const settings = () => Object.fromEntries(new FormData(form));
const failed = (error) => addLine('#log', `error ${error.code ?? error.name}: ${error.message}`);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  start(settings()).catch(failed);
});

document.querySelector('#push').addEventListener('click', async () => {
  try {
    const { vapidPublicKey } = settings();
    if (client === null || vapidPublicKey === '') addLine('#log', await Notification.requestPermission());
    else {
      const serviceWorker = await navigator.serviceWorker.ready;
      addLine('#log', `web push ${await client.webPush.enable({ vapidPublicKey, serviceWorker })}`);
    }
  } catch (error) {
    failed(error);
  }
});

// A link can fill the form in: ?url=…&appId=…&token=…&user=…
for (const [name, value] of new URLSearchParams(location.search)) {
  if (form.elements[name]) form.elements[name].value = value;
}
