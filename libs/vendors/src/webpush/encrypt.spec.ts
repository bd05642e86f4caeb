import { createDecipheriv, createECDH, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { encrypt } from './encrypt';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Does what a browser does (RFC 8291 §3.4, RFC 8188 §2), written from the other end. */
function decrypt(body: Buffer, receiver: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const hkdf = (salt: Buffer, material: Buffer, info: Buffer, length: number): Buffer => {
    const key = createHmac('sha256', salt).update(material).digest();
    return createHmac('sha256', key)
      .update(Buffer.concat([info, Buffer.of(1)]))
      .digest()
      .subarray(0, length);
  };
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), senderKey]);
  const ikm = hkdf(auth, receiver.computeSecret(senderKey), info, 32);
  const key = hkdf(salt, ikm, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, ikm, Buffer.from('Content-Encoding: nonce\0'), 12);
  const record = body.subarray(21 + senderKey.length);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  expect(padded.at(-1)).toBe(2);
  return padded.subarray(0, -1);
}

it('the encryption for Web Push makes exactly the message of RFC 8291, appendix A', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const keys = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const plaintext = Buffer.from('When I grow up, I want to be a watermelon');
  const body = encrypt(plaintext, keys, sender, bytes('DGv6ra1nlYgDCS1FRnbzlw'));
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('the encryption for Web Push makes what the browser can read, and 3,993 bytes at most fill a body of 4,096', () => {
  const receiver = createECDH('prime256v1');
  receiver.generateKeys();
  const auth = Buffer.alloc(16, 7);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_993 }), (plaintext) => {
      const body = encrypt(Buffer.from(plaintext), { p256dh: receiver.getPublicKey(), auth });
      expect(body.length).toBeLessThanOrEqual(4_096);
      expect(decrypt(body, receiver, auth).equals(plaintext)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('the encryption for Web Push uses a new key and salt for every message', () => {
  const receiver = createECDH('prime256v1');
  receiver.generateKeys();
  const keys = { p256dh: receiver.getPublicKey(), auth: Buffer.alloc(16) };
  const [first, second] = [encrypt(Buffer.from('x'), keys), encrypt(Buffer.from('x'), keys)];
  expect(first.subarray(0, 86).equals(second.subarray(0, 86))).toBe(false);
});
