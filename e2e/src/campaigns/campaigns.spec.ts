import { type CampaignStage, startStage } from './campaign-stage';
import { frequencyCapsScenario } from './frequency-caps.scenario';
import { languagesScenario } from './languages.scenario';
import { lostWorkersScenario } from './lost-workers.scenario';
import { singleSendsScenario } from './single-sends.scenario';
import { steeringScenario } from './steering.scenario';
import { survivalScenario } from './survival.scenario';
import { variantsScenario } from './variants.scenario';

/** One system for all of them, each with applications of its own: starting it takes longer than most campaigns. */
describe('campaigns', () => {
  let started: CampaignStage;
  const stage = (): CampaignStage => started;

  beforeAll(async () => {
    started = await startStage();
  });
  afterAll(() => started?.postrider.stop());
  beforeEach(() => started.clear());

  describe('a campaign to thousands of devices', () => survivalScenario(stage));
  describe('many messages to one user each', () => singleSendsScenario(stage));
  describe('a message whose device no worker survives', () => lostWorkersScenario(stage));
  describe('a steered campaign', () => steeringScenario(stage));
  describe('a campaign in several languages', () => languagesScenario(stage));
  describe('six campaigns at once to users with a frequency cap', () => frequencyCapsScenario(stage));
  describe('a campaign with variants, a holdout and a winner', () => variantsScenario(stage));
});
