/** Cities that people live in, the largest share first. */
export const PLACES = [
  { city: 'London', latitude: 51.507, longitude: -0.128, locale: 'en-GB', timeZone: 'Europe/London' },
  { city: 'Tehran', latitude: 35.689, longitude: 51.389, locale: 'fa-IR', timeZone: 'Asia/Tehran' },
  { city: 'Berlin', latitude: 52.52, longitude: 13.405, locale: 'de-DE', timeZone: 'Europe/Berlin' },
  { city: 'Istanbul', latitude: 41.008, longitude: 28.978, locale: 'tr-TR', timeZone: 'Europe/Istanbul' },
  { city: 'New York', latitude: 40.713, longitude: -74.006, locale: 'en-US', timeZone: 'America/New_York' },
  { city: 'São Paulo', latitude: -23.551, longitude: -46.633, locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  { city: 'Tokyo', latitude: 35.676, longitude: 139.65, locale: 'ja-JP', timeZone: 'Asia/Tokyo' },
  { city: 'Lagos', latitude: 6.524, longitude: 3.379, locale: 'en-NG', timeZone: 'Africa/Lagos' },
  { city: 'Mumbai', latitude: 19.076, longitude: 72.878, locale: 'hi-IN', timeZone: 'Asia/Kolkata' },
  { city: 'Suva', latitude: -18.141, longitude: 178.442, locale: 'en-FJ', timeZone: 'Pacific/Fiji' },
] as const;

/** Tags that users carry, the commonest first. */
export const INTERESTS = [
  'news',
  'sport',
  'music',
  'travel',
  'food',
  'games',
  'film',
  'books',
  'running',
  'chess',
  'سفر',
  '音楽',
];

/** Channels beside the default ones. */
export const CHANNELS = ['public/sport', 'public/news', 'private/alerts', 'public/deals'];

/** Versions in use, the newest (and commonest) first. */
export const VERSIONS = {
  android: ['Android 15', 'Android 14', 'Android 13', 'Android 12', 'Android 10', 'Android 8.1'],
  ios: ['18.1', '18.0.1', '17.6.1', '17.2', '16.7.10', '15.8'],
  web: ['130.0', '129.0.1', '128.0'],
  client: ['2.4.0', '2.3.1', '2.3.0', '2.2.5', '2.0.0', '1.9.12', '1.10.0-beta.2'],
};

/** Device models by type. */
export const DEVICE_MODELS = {
  android: ['Galaxy S24', 'Pixel 9', 'Redmi Note 13', 'Galaxy A15', 'Xperia 10', 'P40 Pro'],
  ios: ['iPhone 15', 'iPhone 14', 'iPhone 16 Pro', 'iPad Air', 'iPhone SE'],
  web: ['Chrome', 'Firefox', 'Edge'],
};
