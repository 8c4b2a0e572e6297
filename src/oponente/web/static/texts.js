// All words of the page, in English and Portuguese.

import { settings } from "./settings.js";

export const TEXTS = {
  play: ["Play", "Jogar"], records: ["Records", "Registros"], tournament: ["Tournament", "Torneio"],
  skip: ["Skip to content", "Ir ao conteúdo"], language: ["Language", "Idioma"], theme: ["Colours", "Cores"],
  auto: ["automatic", "automático"], light: ["light", "claro"], dark: ["dark", "escuro"],
  title: ["Play, watch, analyse", "Jogue, assista, analise"],
  subtitle: ["Any game, any opponents: people by link, agents of your choice.", "Qualquer jogo, quaisquer oponentes: pessoas por link, agentes à sua escolha."],
  game: ["Game", "Jogo"], seats: ["Who plays", "Quem joga"], seat: ["Seat {n}", "Lugar {n}"], person: ["Person", "Pessoa"], 
  agent: ["Agent", "Agente"], parameters: ["Parameters", "Parâmetros"], options: ["Options of the game", "Opções do jogo"],
  more: ["More", "Mais"], seed: ["Seed", "Semente"], seedHint: ["empty: another each time", "vazio: outra a cada vez"],
  pace: ["Seconds between moves of agents", "Segundos entre lances dos agentes"], tick: ["Seconds from tick to tick", "Segundos de um quadro ao próximo"],
  start: ["Start", "Começar"], starting: ["Starting …", "Começando …"], 
  preparing: ["Preparing: compiling this game and its agents. The first time this takes up to a minute.", "Preparando: compilando o jogo e seus agentes. Na primeira vez isso leva até um minuto."],
  yourTurn: ["Your turn", "Sua vez"], waiting: ["Waiting for {who}", "Esperando {who}"], thinks: ["{who} is thinking …", "{who} está pensando …"],
  chance: ["Chance", "Sorte"], player: ["Player {n}", "Jogador {n}"], you: ["you", "você"], over: ["The game is over", "A partida acabou"],
  won: ["You have won!", "Você venceu!"], lost: ["You have lost.", "Você perdeu."], drawn: ["A draw.", "Empate."], wins: ["{who} has won", "{who} venceu"],
  paused: ["Paused", "Pausado"], pause: ["Pause", "Pausar"], go: ["Go on", "Continuar"], step: ["Step", "Passo"], speed: ["Speed", "Velocidade"],
  takeback: ["Take back", "Voltar lance"], takebackHere: ["Take back to here", "Voltar até aqui"], hint: ["Hint", "Dica"], resign: ["Resign", "Desistir"], resignSure: ["Give up this game?", "Desistir desta partida?"],
  yes: ["Yes", "Sim"], no: ["No", "Não"], cancel: ["Cancel", "Cancelar"], close: ["Close", "Fechar"], again: ["Play again", "Jogar de novo"],
  log: ["What happened", "O que aconteceu"], moves: ["Your moves", "Seus lances"], say: ["Type a move", "Digite um lance"], send: ["Send", "Enviar"],
  analysis: ["Analysis", "Análise"], analyse: ["Analyse", "Analisar"], stop: ["Stop", "Parar"], analyst: ["Who analyses", "Quem analisa"],
  chances: ["Chances to win", "Chances de vitória"], values: ["Values", "Valores"], best: ["Best moves", "Melhores lances"], line: ["Expected course", "Continuação esperada"],
  visits: ["visits", "visitas"], value: ["value", "valor"], move: ["move", "lance"], nodes: ["{n} nodes in {s} s, depth {d}", "{n} nós em {s} s, profundidade {d}"], visited: ["{n} visits in {s} s", "{n} visitas em {s} s"],
  timeline: ["Position", "Posição"], first: ["First position", "Primeira posição"], back: ["Back", "Voltar"], forward: ["Forward", "Avançar"], last: ["Last position", "Última posição"], 
  moments: ["Key moments", "Momentos decisivos"], findMoments: ["Find key moments", "Procurar momentos decisivos"], momentText: ["{ply}: {who} gains {n} %", "{ply}: {who} ganha {n} %"], momentValue: ["{ply}: {who} gains {n} in value", "{ply}: {who} ganha {n} de valor"],
  searching: ["Searching …", "Procurando …"], link: ["Link to this position", "Link para esta posição"], copied: ["Copied", "Copiado"], copy: ["Copy", "Copiar"],
  tryHere: ["Play on from here", "Jogar a partir daqui"], invite: ["Invite", "Convidar"], inviteText: ["Each link is one seat. Give it only to who is to sit there.", "Cada link é um lugar. Dê-o só a quem vai sentar lá."], watchLink: ["Link to watch", "Link para assistir"],
  hiddenWatch: ["Cards are hidden in this game: watching begins when it is over.", "Neste jogo há cartas ocultas: só dá para assistir quando a partida acabar."],
  lostLink: ["The connection is lost; trying again …", "A conexão caiu; tentando de novo …"], cantShow: ["This can't be shown", "Não é possível mostrar isto"], noRoom: ["There is no such game (any more).", "Esta partida não existe (mais)."],
  absent: ["not here", "ausente"], toAct: ["to move", "a jogar"],
  recordsTitle: ["Recorded games", "Partidas registradas"], match: ["Match", "Confronto"], agents: ["Agents", "Agentes"], games: ["Games", "Partidas"], show: ["Show", "Mostrar"], none: ["None yet.", "Ainda nenhuma."], number: ["Game no.", "Partida nº"],
  upload: ["Open a file of exported games", "Abrir um arquivo de partidas exportadas"], chooseFile: ["Choose a file …", "Escolher arquivo …"],
  older: ["These are the newest. Show another one, by its number:", "Estes são os mais novos. Mostrar outro, pelo número:"],
  tournamentTitle: ["A tournament", "Um torneio"], entrants: ["Entrants", "Participantes"], blocks: ["Blocks for each pairing", "Blocos por confronto"], standing: ["Standing", "Classificação"], rating: ["Rating", "Força"], score: ["Score", "Pontuação"], playingOf: ["{n} of {of} games", "{n} de {of} partidas"], finished: ["Finished", "Terminado"], stopped: ["Stopped", "Parado"],
  steer: ["Keys: arrows and space", "Teclas: setas e espaço"], up: ["Up", "Cima"], down: ["Down", "Baixo"], left: ["Left", "Esquerda"], right: ["Right", "Direita"], use: ["Use", "Usar"], begin: ["Begin", "Começar"],
  choose: ["Choose", "Escolha"], zoomIn: ["Larger", "Maior"], zoomOut: ["Smaller", "Menor"], error: ["Something went wrong: {text}", "Algo deu errado: {text}"], thenWhere: ["And where to? Escape goes back.", "E para onde? Esc cancela."],
  "name.tictactoe": ["Tic-tac-toe", "Jogo da velha"], "name.connect4": ["Connect Four", "Lig 4"], "name.catan": ["Catan", "Catan"], "name.risk": ["Risk", "Risk"], "name.vgdl": ["Video games", "Videogames"],
  goesOn: ["The game goes on", "O jogo está em andamento"], resting: ["The game rests", "O jogo está parado"], sayLike: ["e.g. {text}", "ex.: {text}"], inAddress: ["The link is in the address bar", "O link está na barra de endereço"],
  addEntrant: ["Add an agent", "Acrescentar agente"], removeEntrant: ["Remove this agent", "Retirar este agente"], blocksHint: ["A block is {n} games: each agent once in each seat.", "Um bloco são {n} partidas: cada agente uma vez em cada lugar."],
  cross: ["Against each other (share of better results)", "Um contra o outro (parcela de resultados melhores)"],
  openingPlies: ["Random moves at the beginning", "Lances aleatórios no início"], openingPliesHint: ["The same in all games of a block. They tell blocks apart where agents play alike each time.", "Os mesmos em todas as partidas de um bloco. Distinguem os blocos quando os agentes jogam sempre igual."],
  copies: ["Matches whose blocks are all the same games: {n}. This game has no chance, and these agents play it alike each time: the intervals say nothing. Random moves at the beginning tell the blocks apart.", "Confrontos cujos blocos são todos as mesmas partidas: {n}. Este jogo não tem sorte, e estes agentes o jogam sempre igual: os intervalos não dizem nada. Lances aleatórios no início distinguem os blocos."],
  // Catan
  roll: ["Roll the dice", "Rolar os dados"], end: ["End turn", "Terminar a vez"], trade: ["Trade …", "Trocar …"], bank: ["Bank …", "Banco …"], buyCard: ["Buy a card", "Comprar carta"], 
  knight: ["Knight", "Cavaleiro"], roadBuilding: ["Road building", "Construção de estradas"], monopoly: ["Monopoly", "Monopólio"], plenty: ["Year of plenty", "Ano de fartura"],
  give: ["You give", "Você dá"], want: ["You want", "Você quer"], offer: ["Offer", "Oferecer"], tradeTitle: ["Offer a trade to all", "Oferecer uma troca a todos"], bankTitle: ["Trade with the bank", "Trocar com o banco"], rate: ["{n} for 1", "{n} por 1"],
  accept: ["Accept", "Aceitar"], reject: ["Reject", "Recusar"], counter: ["Counter …", "Contraproposta …"], counterTitle: ["Another offer", "Outra proposta"], withdraw: ["Withdraw", "Retirar"], confirmWith: ["Trade with player {n}", "Trocar com jogador {n}"], offerOf: ["The offer", "A proposta"],
  discard: ["Discard {n} cards", "Descarte {n} cartas"], discardDo: ["Discard", "Descartar"], chosen: ["{n} of {of}", "{n} de {of}"], have: ["you have {n}", "você tem {n}"], pick: ["Take {n} cards from the bank", "Pegue {n} cartas do banco"], which: ["Which resource?", "Qual recurso?"],
  lumber: ["lumber", "madeira"], brick: ["brick", "tijolo"], wool: ["wool", "lã"], grain: ["grain", "trigo"], ore: ["ore", "minério"],
  build: ["Click on the board to build.", "Clique no tabuleiro para construir."], yourHand: ["Your cards", "Suas cartas"], robberHint: ["Click on a hex to move the robber.", "Clique em um hexágono para mover o ladrão."], costs: ["Costs", "Custos"],
  road: ["road", "estrada"], settlement: ["settlement", "povoado"], city: ["city", "cidade"], card: ["card", "carta"],
  // Risk
  amount: ["How many armies?", "Quantos exércitos?"], amountDo: ["Confirm: {n}", "Confirmar: {n}"], mapHint: ["Click on a territory on the map.", "Clique em um território no mapa."], done: ["Done", "Pronto"], doneAttacks: ["End attacks", "Encerrar ataques"], doneMoves: ["End turn", "Terminar a vez"], doneTrade: ["Keep the cards", "Guardar as cartas"], 
};

/** Return a number as people write it in the language that is chosen. */
export const number = (value, digits = 0) => value.toLocaleString(settings.language === "pt" ? "pt-BR" : "en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return a text in the language that is chosen, with values in place of {names}. */
export function t(key, values = {}) {
  const pair = TEXTS[key];
  if (!pair) return key;
  return pair[settings.language === "pt" ? 1 : 0].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
