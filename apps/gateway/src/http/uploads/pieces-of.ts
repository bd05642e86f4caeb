/**
 * Cuts a stream of bytes into pieces of `size`; the last one may be shorter. Memory holds one piece, and the stream is read
 * no faster than the pieces are taken.
 */
export async function* piecesOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (let bytes of stream) {
    while (length + bytes.length >= size) {
      const cut = size - length;
      yield Buffer.concat([...parts, bytes.subarray(0, cut)], size);
      bytes = bytes.subarray(cut);
      parts = [];
      length = 0;
    }
    if (bytes.length === 0) continue;
    parts.push(bytes);
    length += bytes.length;
  }
  if (length > 0) yield Buffer.concat(parts, length);
}
