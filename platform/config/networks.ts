// Lists of addresses and networks in configuration: `10.0.0.0/8,::1`.
import { BlockList } from 'node:net';
import { z } from 'zod';
import { readNetwork } from './network.js';

/** Addresses and networks, separated by commas; an empty text is an empty list. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const list = new BlockList();
    for (const item of text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')) {
      const network = readNetwork(item);
      if (network === null)
        context.addIssue({ code: 'custom', message: `${item} is neither an address nor a network` });
      else list.addSubnet(network.address, network.prefix, network.family);
    }
    return list;
  });
