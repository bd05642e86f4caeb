import { useEffect, useState } from 'react';
import { FlatList, SafeAreaView, Text } from 'react-native';
import type { ClientMessage } from '@postrider/client';
import { startPush } from './push';

const SERVICE = { url: 'https://push.example.com', appId: 'shop', token: 'a token with the scope devices' };

/** Lists what arrives while the application is open. */
export default function App() {
  const [messages, setMessages] = useState<ClientMessage[]>([]);
  useEffect(() => {
    const started = startPush(SERVICE);
    started
      .then(({ client }) => client.on('message', (message) => setMessages((before) => [message, ...before])))
      .catch(console.warn);
    return () => void started.then(({ stop }) => stop()).catch(console.warn);
  }, []);
  return (
    <SafeAreaView>
      <FlatList
        data={messages}
        keyExtractor={({ id }) => id}
        renderItem={({ item }) => <Text>{item.notification?.body ?? item.content}</Text>}
      />
    </SafeAreaView>
  );
}
