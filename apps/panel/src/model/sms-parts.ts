/** An alphabet of SMS: how much room a part has if it is alone, and if it is one of several. */
interface Alphabet {
  alone: number;
  joined: number;
  /** The room that a character takes; undefined: the alphabet does not have it. */
  roomOf: (character: string) => number | undefined;
}

/** The GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1). */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension, whose characters take the room of two. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const GSM: Alphabet = {
  alone: 160,
  joined: 153,
  roomOf: (character) => (BASIC.has(character) ? 1 : EXTENDED.has(character) ? 2 : undefined),
};
/** Any text, in UTF-16. */
const UCS2: Alphabet = { alone: 70, joined: 67, roomOf: (character) => character.length };

/** Returns in how many parts an SMS is sent. Providers charge each part. No character is divided between two parts. */
export function smsParts(text: string): number {
  const characters = [...text];
  const alphabet = characters.every((character) => GSM.roomOf(character) !== undefined) ? GSM : UCS2;
  const rooms = characters.map((character) => alphabet.roomOf(character) ?? 0);
  if (rooms.reduce((sum, room) => sum + room, 0) <= alphabet.alone) return 1;
  let [parts, used] = [1, 0];
  for (const room of rooms) {
    if (used + room > alphabet.joined) [parts, used] = [parts + 1, 0];
    used += room;
  }
  return parts;
}
