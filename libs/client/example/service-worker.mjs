import { startServiceWorker } from '@postrider/client/service-worker';

startServiceWorker({ appId: new URL(location.href).searchParams.get('app') });
