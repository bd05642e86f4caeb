import {
  type ApnsPayload,
  type FcmPayload,
  gapMark,
  GapValue,
  type JsonObject,
  type PayloadFilling,
  TextWithGaps,
} from '@postrider/domain';
import { randomBytes } from 'node:crypto';
import { buildPayload } from '../create-renderer';
import { isDeepLink } from '../fields/notification-fields';
import { GapMeasure, measuredTexts, tooLarge, VENDOR_LIMITS } from '../payloads/payload-size';
import { ROOM_FOR_FLAT_KEYS, textsInRoom } from '../payloads/fcm-data';
import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import type { ContentTemplates } from './content-templates';

/** An FCM payload for one device. Its object is made only if somebody reads it. */
class FilledFcmPayload implements FcmPayload {
  readonly vendor = 'fcm';
  readonly isForOne = true;

  constructor(readonly filling: PayloadFilling<FcmPayload>) {}

  get message(): JsonObject {
    return filledObject(this.filling.shape.message, this.filling);
  }
}

/** The same for APNs. */
class FilledApnsPayload implements ApnsPayload {
  readonly vendor = 'apns';
  readonly isForOne = true;
  readonly pushType: ApnsPayload['pushType'];
  readonly priority: ApnsPayload['priority'];
  readonly collapseId?: string;

  constructor(readonly filling: PayloadFilling<ApnsPayload>) {
    const { pushType, priority, collapseId } = filling.shape;
    this.pushType = pushType;
    this.priority = priority;
    if (collapseId !== undefined) this.collapseId = collapseId;
  }

  get body(): JsonObject {
    return filledObject(this.filling.shape.body, this.filling);
  }
}

function filledObject(object: JsonObject, { nonce, values }: PayloadFilling<unknown>): JsonObject {
  return JSON.parse(new TextWithGaps(JSON.stringify(object), nonce).fill(values)) as JsonObject;
}

/** The vendors whose senders can fill a text. */
type Vendor = 'fcm' | 'apns';

/** A payload with marks in place of each device's own texts, and its size when they are filled in. */
interface Shape {
  readonly payload: FcmPayload | ApnsPayload;
  readonly measure: GapMeasure;
}

/** The same message may have its flat keys or not, depending on the lengths of its texts. */
interface Shapes {
  /** Null: there is only one shape. */
  readonly room: GapMeasure | null;
  readonly roomy: Shape;
  readonly bare: Shape;
}

/** Texts that are empty for some devices make further shapes. At most this many are cached. */
const MOST_SHAPES = 64;
/** Nobody can write a text that looks like a mark. */
const NONCE = `gap${randomBytes(16).toString('hex')}x`;

const EMPTY = '0';
const TEXT = '1';
const WEB_LINK = '2';
const APP_LINK = '3';

/**
 * Makes the payloads of a personal message for each device without building them: the common part is built once for
 * each possible shape, and each device's texts are filled in. The result equals a built payload, byte for byte.
 */
export class FilledPayloads {
  readonly #shapes = new Map<string, Shapes>();
  readonly #links: readonly boolean[];

  constructor(
    private readonly templates: ContentTemplates,
    private readonly message: RenderableMessage,
    private readonly application: RenderableApplication,
  ) {
    this.#links = templates.links;
  }

  /**
   * @param texts the result of each text that is a template
   * @returns null if the message has so many shapes that this one has to be built
   * @throws TemplateFailure `payload_too_large`
   */
  payloadFor(vendor: Vendor, platform: Platform, texts: readonly string[]): FcmPayload | ApnsPayload | null {
    const shapes = this.#shapesFor(vendor, platform, texts);
    if (shapes === null) return null;
    const values = texts.map((text) => new GapValue(text));
    const hasRoom = shapes.room === null || shapes.room.fits(values, ROOM_FOR_FLAT_KEYS);
    const { payload: shape, measure } = hasRoom ? shapes.roomy : shapes.bare;
    if (!measure.fits(values, VENDOR_LIMITS[vendor])) throw tooLarge(vendor, measure.bytes(values));
    return shape.vendor === 'fcm'
      ? new FilledFcmPayload({ shape, nonce: NONCE, values })
      : new FilledApnsPayload({ shape, nonce: NONCE, values });
  }

  #shapesFor(vendor: Vendor, platform: Platform, texts: readonly string[]): Shapes | null {
    let name = vendor + platform;
    for (let place = 0; place < texts.length; place++)
      name += kindOf(texts[place] as string, this.#links[place] === true);
    const known = this.#shapes.get(name);
    if (known !== undefined) return known;
    if (this.#shapes.size >= MOST_SHAPES) return null;
    const made = this.#make(vendor, platform, texts);
    this.#shapes.set(name, made);
    return made;
  }

  #make(vendor: Vendor, platform: Platform, texts: readonly string[]): Shapes {
    const marks = texts.map((text, place) => markOf(kindOf(text, this.#links[place] === true), place));
    const content = this.templates.contentWith(marks);
    const shape = (hasFlatKeys: boolean): Shape => {
      const options = { platform, hasFlatKeys };
      const payload = buildPayload({ ...this.message, content }, this.application, vendor, options);
      return { payload: payload as FcmPayload | ApnsPayload, measure: new GapMeasure(measuredTexts(payload), NONCE) };
    };
    const roomy = shape(true);
    const { payload } = roomy;
    if (payload.vendor !== 'fcm' || payload.message.data === undefined) return { room: null, roomy, bare: roomy };
    return { room: new GapMeasure(textsInRoom(payload.message), NONCE), roomy, bare: shape(false) };
  }
}

/** The property of a text by which the shape of its payload differs. */
function kindOf(text: string, isLink: boolean): string {
  if (text === '') return EMPTY;
  if (!isLink) return TEXT;
  if (text.startsWith('https://')) return WEB_LINK;
  return isDeepLink(text) ? APP_LINK : TEXT;
}

function markOf(kind: string, place: number): string {
  switch (kind) {
    case EMPTY:
      return '';
    case WEB_LINK:
      return gapMark(NONCE, place, 'https://');
    case APP_LINK:
      return gapMark(NONCE, place, 'app:');
    default:
      return gapMark(NONCE, place);
  }
}
