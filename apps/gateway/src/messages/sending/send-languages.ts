import { countByLocale, type SampledDevice } from '@postrider/audience';
import type { SendResponse } from '@postrider/contracts';
import { EditionChoice, type MessageContent } from '@postrider/domain';
import type { Executor } from '@postrider/persistence';
import type { MessageDraft } from './draft-message';

/** The answer can do without this count, so it takes less than half of a dry run's time. */
const LIMIT_MS = 2_000;

/** A language has this many devices in its sample. */
const SAMPLE_SIZE = 5;

/** The devices of one language: `sample` in the order of their groups. */
interface LanguageGroup {
  count: number;
  sample: { deviceType: string | null; device: SampledDevice }[];
}

/**
 * Counts which language the recipients of a message would get.
 *
 * @param executor a transaction
 * @returns nothing for a message in one language, or if the count takes too long
 */
export async function languagesOf(
  { message, selection }: MessageDraft,
  executor: Executor,
): Promise<Pick<SendResponse, 'byLanguage'>> {
  const localized = allLocalized(message.content);
  const choice = new EditionChoice({ ...message.content, localized });
  if (!choice.hasLanguages) return {};
  const groups = await countByLocale(executor, selection, LIMIT_MS);
  if (groups === null) return {};
  const languages = new Map<string | null, LanguageGroup>(
    [null, ...Object.keys(localized)].map((language) => [language, { count: 0, sample: [] }]),
  );
  for (const { locale, userLocale, deviceType, devices, example } of groups) {
    const found = languages.get(choice.of(locale, userLocale).language);
    if (found === undefined) continue;
    found.count += devices;
    found.sample.push({ deviceType, device: example });
  }
  return {
    byLanguage: [...languages].map(([language, { count, sample }]) => ({ language, count, sample: mixed(sample) })),
  };
}

/** The languages of a message and of its variants. Tags that differ only by case are one. */
function allLocalized({ localized, variants = [] }: MessageContent): NonNullable<MessageContent['localized']> {
  const all: NonNullable<MessageContent['localized']> = {};
  const known = new Set<string>();
  for (const own of [localized, ...variants.map((variant) => variant.localized)]) {
    for (const [tag, texts] of Object.entries(own ?? {})) {
      if (known.has(tag.toLowerCase())) continue;
      known.add(tag.toLowerCase());
      all[tag] = texts;
    }
  }
  return all;
}

/** Returns devices of different types first. */
function mixed(sample: LanguageGroup['sample']): SampledDevice[] {
  const first = sample.filter(
    ({ deviceType }, place) => sample.findIndex((one) => one.deviceType === deviceType) === place,
  );
  return [...new Set([...first, ...sample])].slice(0, SAMPLE_SIZE).map(({ device }) => device);
}
