import { useEffect, useState } from 'react';
import { FlatList, Text } from 'react-native';
import type { ClientMessage } from '@postrider/client';
import { startPush } from './push';

const SERVICE = { url: 'https://push.example.com', appId: 'shop', token: 'a token with the scope devices' };

// Once for the whole application: React may run an effect twice, and two clients would register two devices.
const started = startPush(SERVICE);

/** Lists what arrives while the application is open. */
export default function App() {
  const [messages, setMessages] = useState<ClientMessage[]>([]);
  useEffect(() => {
    const listening = started.then(({ client }) =>
      client.on('message', (message) => setMessages((before) => [message, ...before])),
    );
    listening.catch(console.warn);
    return () =>
      void listening.then(
        (stop) => stop(),
        () => undefined,
      );
  }, []);
  return (
    <FlatList
      contentInsetAdjustmentBehavior="automatic"
      data={messages}
      keyExtractor={({ id }) => id}
      renderItem={({ item }) => <Text>{item.notification?.body ?? item.content}</Text>}
    />
  );
}
