export type { MessageDeviceResponse as DeviceStory } from '@postrider/contracts';
