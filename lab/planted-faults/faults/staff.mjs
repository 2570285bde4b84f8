// Faults to plant in what people do: the rule of two people.

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const STAFF_FAULTS = [
  {
    name: 'own-request-approved',
    file: 'staff/acts/requests.ts',
    from: "  if (isOwn && decision === 'approve') return { kind: 'same_person', requestedBy };\n",
    to: '',
    kind: 'wrong_guard',
    harm: 'One person can approve their own request, so a dangerous act needs only one.',
  },
];
