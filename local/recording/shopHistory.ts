/** Texts as SQL Server sends them, by column. */
export type Texts = Readonly<Record<string, string | null>>;

/** One statement on one row. A row is addressed by the texts of its key. */
export type Statement =
  | { readonly insert: string; readonly row: Texts }
  | { readonly update: string; readonly key: readonly string[]; readonly set: Texts }
  | { readonly remove: string; readonly key: readonly string[] };

/** Statements that commit together; all are in one database. */
export type Transaction = readonly Statement[];

/** A day in the shop, in the order of commits: customers sign up, order, pay, complain; somebody corrects a SKU. */
export function shopHistory(): Transaction[] {
  return [
    [product('MUG-BLUE', 'Kaffeebecher „Blau“', 40, '12.5000', '0.35', MUG)],
    [product('TEA-SENCHA', '煎茶 Sencha 100 g', 120, '9.9000', '0.1', TEA)],
    [product('POT-IRON', 'Gusseiserne Teekanne', 15, '79.0000', '1.8', POT)],
    [
      product('SPOON-OAK', 'Oak spoon', 300, '3.2000', '0.02', null),
      product('FILTER-100', 'Paper filters, 100', 80, '4.5000', '0.12', null),
    ],
    [customer('1', 'Zoë Müller', 'Zürich', '1', '2019-04-01')],
    [customer('2', '佐藤 花子', '京都', '0', '2021-11-23')],
    [customer('3', 'Liam O’Brien', 'Cork', '1', '2023-02-14')],
    [customer('4', 'Ana Petrović', 'Novi Sad', '0', '2024-08-30')],
    [customer('5', 'Test Account', null, '0', '2026-08-07')],

    order('1001', '1', '44.50', '08:12:03.120', 'Please ring twice', [
      ['MUG-BLUE', '2', '12.50'],
      ['TEA-SENCHA', '1', '9.90'],
      ['SPOON-OAK', '3', '3.20'],
    ]),
    stock('MUG-BLUE', 38),
    stock('TEA-SENCHA', 119),
    pay('6F9619FF-8B86-D011-B42D-00CF4FC964FF', '1001', '44.5000', 'card', '10:12:09.481 +02:00'),
    status('1001', 'paid'),

    order('1002', '2', '158.00', '08:40:55.007', null, [['POT-IRON', '2', '79.00']]),
    stock('POT-IRON', 13),
    pay('0E984725-C51C-4BF4-9960-E1C80E27ABA0', '1002', '158.0000', 'transfer', '17:41:30.250 +09:00'),
    status('1002', 'paid'),
    [review('501', 'MUG-BLUE', '5', REVIEW_MUG, '2026-08-07 09:01:13.337')],

    order('1003', '3', '22.40', '09:15:20.999', 'Gift wrap 🎁', [
      ['TEA-SENCHA', '1', '9.90'],
      ['MUG-BLUE', '1', '12.50'],
    ]),
    stock('TEA-SENCHA', 118),
    stock('MUG-BLUE', 37),
    // The SKU is the primary key: SQL Server tells its correction as a delete and an insert.
    [
      { remove: 'Products', key: ['MUG-BLUE'] },
      product('MUG-BLUE-350', 'Kaffeebecher „Blau“', 37, '12.5000', '0.35', MUG),
    ],
    status('1001', 'shipped'),
    pay('9B2F3C1E-77AA-4D0B-8E55-3F1A2C6D9E10', '1003', '22.4000', 'card', '10:16:02.000 +01:00'),
    status('1003', 'paid'),
    [{ update: 'Customers', key: ['3'], set: { city: 'Dublin', newsletter: '0' } }],
    [review('502', 'POT-IRON', '4', REVIEW_POT, '2026-08-07 10:20:00.000')],
    [review('503', 'SPOON-OAK', '1', 'BUY CHEAP WATCHES http://example.com', '2026-08-07 10:21:44.120')],
    [{ remove: 'Reviews', key: ['503'] }],

    order('1004', '5', '3.20', '10:30:00.000', 'test', [['SPOON-OAK', '1', '3.20']]),
    [
      { remove: 'OrderLines', key: ['1004', '1'] },
      { remove: 'Orders', key: ['1004'] },
      { remove: 'Customers', key: ['5'] },
    ],
    order('1005', '4', '13.50', '11:05:41.730', null, [['FILTER-100', '3', '4.50']]),
    stock('FILTER-100', 77),
    status('1002', 'shipped'),
    status('1003', 'shipped'),
    [{ update: 'Orders', key: ['1005'], set: { status: 'cancelled', note: 'Found them in the cupboard' } }],
    stock('FILTER-100', 80),
    [{ update: 'Customers', key: ['1'], set: { name: 'Zoë Müller-Rossi' } }],
    [
      {
        update: 'Reviews',
        key: ['502'],
        set: { stars: '5', text: `${REVIEW_POT} Edit: five stars, it is back!` },
      },
    ],
    [{ remove: 'Products', key: ['FILTER-100'] }],
    [{ update: 'Products', key: ['TEA-SENCHA'], set: { price: '10.4000', description: `${TEA} 新茶!` } }],
    status('1001', 'delivered'),
  ];
}

const DAY = '2026-08-07';

const MUG =
  'Handgefertigter Becher für 350 ml, spülmaschinenfest. Die Glasur fällt bei jedem Stück etwas anders aus: mal heller, ' +
  'mal dunkler, nie gleich. Größe ungefähr 9 × 10 cm. ☕ Auch für Tee schön.';
const TEA =
  '京都府宇治で育てた一番摘みの煎茶です。七十度のお湯で一分ほど蒸らしてください。爽やかな香りと、ほのかな甘みが楽しめます。' +
  '開封後は冷暗所で保存し、お早めにお召し上がりください。 First flush, steamed, from Uji: brew at 70 °C for one minute. 🍵';
const POT =
  'Teekanne aus Gusseisen mit Sieb, 0,8 Liter. Innen emailliert, außen schwarz. Hält den Tee über eine Stunde heiß. ' +
  'Nicht in die Spülmaschine geben. Gewicht 1,8 kg – bitte mit zwei Händen ausgießen.';
const REVIEW_MUG =
  'Love it. "Blue" is really more of a sea green, but that is exactly what I hoped for 💙. Arrived in three days, packed ' +
  'in paper only, no plastic at all. The handle fits two fingers. Très joli, je recommande !';
const REVIEW_POT =
  'Heavy as an anvil and just as sturdy. Keeps the tea hot through a whole film. One star less because the lid slipped ' +
  'while pouring and I had to chase it under the sofa. Größer als gedacht.';

function product(
  sku: string,
  name: string,
  pieces: number,
  price: string,
  weight: string,
  description: string | null,
): Statement {
  const row = { sku, name, stock: String(pieces), price, weight_kg: weight, description };
  return { insert: 'Products', row };
}

function customer(
  id: string,
  name: string,
  city: string | null,
  newsletter: '0' | '1',
  since: string,
): Statement {
  return { insert: 'Customers', row: { customer_id: id, name, city, newsletter, since } };
}

function order(
  id: string,
  customerId: string,
  total: string,
  time: string,
  note: string | null,
  lines: readonly (readonly [sku: string, quantity: string, price: string])[],
): Transaction {
  const row = {
    order_id: id,
    customer_id: customerId,
    status: 'new',
    total,
    ordered_at: `${DAY} ${time}`,
    note,
  };
  return [
    { insert: 'Orders', row },
    ...lines.map(([sku, quantity, price], index) => ({
      insert: 'OrderLines',
      row: { order_id: id, line_no: String(index + 1), sku, quantity, price },
    })),
  ];
}

function stock(sku: string, pieces: number): Transaction {
  return [{ update: 'Products', key: [sku], set: { stock: String(pieces) } }];
}

function status(orderId: string, text: string): Transaction {
  return [{ update: 'Orders', key: [orderId], set: { status: text } }];
}

function pay(id: string, orderId: string, amount: string, method: string, time: string): Transaction {
  const row = { payment_id: id, order_id: orderId, amount, method, paid_at: `${DAY} ${time}` };
  return [{ insert: 'Payments', row }];
}

function review(id: string, sku: string, stars: string, text: string, time: string): Statement {
  return { insert: 'Reviews', row: { review_id: id, sku, stars, text, written_at: time } };
}
