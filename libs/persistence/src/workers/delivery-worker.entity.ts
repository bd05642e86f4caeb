import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a delivery worker that runs, or that died and whose pages nobody has taken back yet. Unlogged. */
@Entity('delivery_workers')
export class DeliveryWorkerEntity {
  @PrimaryColumn({ name: 'worker_id', type: 'text' })
  workerId!: string;

  @Column({ name: 'began_at', type: 'timestamptz', default: () => 'now()' })
  beganAt!: Date;
}
