import { fieldsIn, initialValues, readFields, shownFields, VENDOR_PLANS, type VendorPlan } from './vendor-fields';

const planOf = (vendor: string): VendorPlan => {
  const plan = VENDOR_PLANS.find((one) => one.vendor === vendor);
  if (!plan) throw new Error(vendor);
  return plan;
};

describe('the forms of vendors', () => {
  it('send what was typed, and nothing for what was left empty', () => {
    const values = { ...initialValues(planOf('hms'), undefined), appId: ' 103 ', clientSecret: 's' };
    expect(readFields(planOf('hms'), values)).toEqual({ body: { appId: '103', clientSecret: 's' }, problems: {} });
  });

  it('read a service account as JSON, and say when it is none', () => {
    const fcm = planOf('fcm');
    expect(readFields(fcm, { serviceAccount: '{"project_id":"p"}' })).toEqual({
      body: { serviceAccount: { project_id: 'p' } },
      problems: {},
    });
    expect(readFields(fcm, { serviceAccount: '{"project_id":' })).toEqual({
      body: {},
      problems: { serviceAccount: expect.stringContaining('is not JSON') as string },
    });
  });

  it('are filled from a file that holds more than one field, and take any other as the field that it was chosen for', () => {
    const fcm = planOf('fcm');
    const own = { serviceAccount: { project_id: 'p' }, endpoint: 'https://127.0.0.1:3443' };
    const filled = { serviceAccount: JSON.stringify({ project_id: 'p' }, null, 2), endpoint: 'https://127.0.0.1:3443' };
    expect(fieldsIn(fcm, JSON.stringify(own))).toEqual(filled);
    expect(fieldsIn(fcm, JSON.stringify({ fcm: own, apns: { keyId: 'k' } }))).toEqual(filled);
    expect(fieldsIn(planOf('apns'), JSON.stringify({ fcm: own, apns: { keyId: 'k' } }))).toEqual({ keyId: 'k' });
    expect(fieldsIn(fcm, '{"project_id":"p"}')).toBeNull();
    expect(fieldsIn(fcm, '{"project_id":')).toBeNull();
    expect(fieldsIn(fcm, '[1]')).toBeNull();
  });

  it('ask of an SMS provider what that one needs, and keep no secret that was stored', () => {
    const sms = planOf('sms');
    const names = (provider: string): string[] => shownFields(sms, { provider }).map(({ name }) => name);
    expect(names('kavenegar')).toEqual(['provider', 'apiKey', 'sender', 'endpoint', 'onUnknown']);
    expect(names('twilio')).not.toContain('apiKey');
    const values = initialValues(sms, { provider: 'kavenegar', sender: '1000', apiKey: 'never' });
    expect(values).toMatchObject({ provider: 'kavenegar', sender: '1000', apiKey: '' });
  });
});
