import type { AudienceMembers, AudienceSelection } from '../selection/audience-selection';

/** An audience that rules choose. */
export type RulesSelection = AudienceSelection & { who: Extract<AudienceMembers, { kind: 'rules' }> };
