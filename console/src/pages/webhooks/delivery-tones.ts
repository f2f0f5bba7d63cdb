import type { Schemas } from '../../api/client';
import type { Tone } from '../../ui/ui';

export type Delivery = Schemas['Delivery'];

export const DELIVERY_TONES: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  succeeded: 'deliverable',
  failed: 'undeliverable',
};
