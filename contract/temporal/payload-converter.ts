// How values cross Temporal: as the SDK's JSON, with amounts as text. So histories and the Temporal UI show
// `"amountMinor": "10000"`, and whoever reads the value has the bigint again (docs/decisions/0040). The SDK loads this
// file by its path (platform/temporal/data-converter.ts), and bundles it with the workflows.
import {
  BinaryPayloadConverter,
  CompositePayloadConverter,
  JsonPayloadConverter,
  type Payload,
  UndefinedPayloadConverter,
  ValueError,
} from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/encoding.js';
import { encodingKeys, METADATA_ENCODING_KEY } from '@temporalio/common/lib/converter/types.js';
import { readJson, writeJson } from '../../domain/money.js';

class JsonWithAmounts extends JsonPayloadConverter {
  override toPayload(value: unknown): Payload | undefined {
    if (value === undefined) return undefined;
    const metadata = { [METADATA_ENCODING_KEY]: encodingKeys.METADATA_ENCODING_JSON };
    return { metadata, data: encode(writeJson(value)) };
  }

  override fromPayload<Value>({ data }: Payload): Value {
    if (data == null) throw new ValueError('a payload without data');
    return readJson<Value>(decode(data));
  }
}

/** The name is the SDK's. */
export const payloadConverter = new CompositePayloadConverter(
  new UndefinedPayloadConverter(),
  new BinaryPayloadConverter(),
  new JsonWithAmounts(),
);
