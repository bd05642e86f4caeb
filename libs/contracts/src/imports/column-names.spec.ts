import { columnsAsSpelled } from './column-names';

describe('the columns of a known format', () => {
  it('are matched in any case, and others stay as they are', () => {
    expect(columnsAsSpelled('onesignal', ['Identifier', 'DEVICE_TYPE', 'Plan', ''])).toEqual([
      ...['identifier', 'device_type', 'Plan', ''],
    ]);
    expect(
      columnsAsSpelled('pinpoint', ['user.userid', 'attributes.Plan', 'USER.USERATTRIBUTES.Age', 'metrics.n']),
    ).toEqual(['User.UserId', 'Attributes.Plan', 'User.UserAttributes.Age', 'Metrics.n']);
    expect(columnsAsSpelled('mapping', ['Token'])).toEqual(['Token']);
  });

  it('stay apart where two differ by their case', () => {
    expect(columnsAsSpelled('tokens', ['TOKEN', 'token', 'USERID', 'UserId'])).toEqual([
      ...['TOKEN', 'token', 'userId', 'UserId'],
    ]);
  });
});
