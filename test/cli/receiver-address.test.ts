/** The address of a receiver as users write it. [cli, listen] */
import { expect, test } from 'vitest';
import { namedAddress, receiverAddress } from '../../src/cli/deliveries/receiver-address.ts';

test.each([
  ['3210', 'http://localhost:3210'],
  ['3210/hook?a=1', 'http://localhost:3210/hook?a=1'],
  ['localhost:3210', 'http://localhost:3210'],
  ['127.0.0.1:80/a/b', 'http://127.0.0.1:80/a/b'],
  ['[::1]:3000/hook', 'http://[::1]:3000/hook'],
  ['my-laptop.local:3000', 'http://my-laptop.local:3000'],
  ['https://localhost:3443/hook', 'https://localhost:3443/hook'],
  ['HTTP://receiver.example', 'HTTP://receiver.example'],
])('%s is %s', (text, address) => {
  expect(receiverAddress('--forward-to', text)).toBe(address);
});

test.each([
  ['', /^--forward-to {2}is not an address\.$/],
  ['localhost', /it has no port/],
  ['receiver.example/hook', /it has no port/],
  ['0', /0 is not a port/],
  ['localhost:65536', /65536 is not a port/],
  ['ftp://localhost:21', /http or https, not ftp/],
  ['http://', /is not an address/],
  ['http:///hook', /is not an address/],
  ['local host:3000', /is not an address/],
  ['3000 ', /is not an address/],
  ['user:pw@localhost:3000', /is not an address/],
])('%j cannot be meant', (text, message) => {
  expect(() => receiverAddress('--forward-to', text)).toThrow(message);
});

test('an entry NAME=ADDRESS is read in the same way', () => {
  expect(namedAddress('--receiver', 'erp=3210/hook')).toBe('erp=http://localhost:3210/hook');
  expect(namedAddress('--receiver', 'erp=http://127.0.0.1:9/hook?a=b')).toBe('erp=http://127.0.0.1:9/hook?a=b');
  expect(() => namedAddress('--receiver', 'erp=nowhere')).toThrow(
    '--receiver erp: nowhere is not an address: it has no port.',
  );
  expect(() => namedAddress('--receiver', '3210')).toThrow('is not of the form NAME=ADDRESS');
});
