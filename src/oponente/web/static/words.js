// The texts of the server (moves, what happened, what is asked) in the language that is chosen. Games are written in
// English; their vocabulary is small and regular, so Portuguese is made of it phrase by phrase.

import { settings } from "./settings.js";

const PHRASES = [
  [/\bto move\b/g, "a jogar"], [/\bbuilds and trades\b/g, "constrói e troca"], [/\bis to roll\b/g, "vai rolar os dados"], [/\bplaces a settlement\b/g, "coloca um povoado"], [/\bplaces a road\b/g, "coloca uma estrada"],
  [/\bplaces a free road\b/g, "coloca uma estrada grátis"], [/\bdiscards\b/g, "descarta"], [/\bmoves the robber\b/g, "move o ladrão"], [/\banswers the offer\b/g, "responde à proposta"], [/\bchooses a partner\b/g, "escolhe com quem trocar"],
  [/\bchance decides\b/g, "a sorte decide"], [/\bturn (\d+) of player\b/g, "rodada $1 do jogador"], [/\bset-up\b/g, "preparação"], [/\bBank\b/g, "Banco"], [/\bdev\. cards\b/g, "cartas des."], [/\bto act\b/g, "a jogar"], [/\bon turn\b/g, "na vez"],
  [/\brolled\b/g, "dados"], [/\bleft:/g, "restam:"], [/\(you\)/g, "(você)"], [/\bin all\b/g, "ao todo"], [/\bpoints\b/g, "pontos"], [/\bpoint\b/g, "ponto"], [/\bPlayer (\d)/g, "Jogador $1"], [/\bdraw\b/g, "empate"], [/\bdesert\b/g, "deserto"],
  [/\btile\b/g, "hexágono"], [/\bharbour\b/g, "porto"], [/\bincome\b/g, "renda"], [/\bscore\b/g, "pontos"], [/\bhas lost\b/g, "perdeu"],
  [/\bplaces? an army\b/g, "coloca um exército"], [/\bplace armies\b/g, "colocar exércitos"], [/\bhow many armies to place on\b/g, "quantos exércitos colocar em"],
  [/\bhow many more armies move from\b/g, "quantos exércitos a mais vão de"], [/\bhow many armies move from\b/g, "quantos exércitos vão de"], [/\bclaim a territory\b/g, "ocupe um território"],
  [/\btrade cards or go on \(done\)/g, "troque cartas ou continue"], [/\battack or go on \(done\)/g, "ataque ou continue"], [/\bmove armies or end the turn \(done\)/g, "mova exércitos ou termine a vez"],
  [/\bwhere to move armies from\b/g, "para onde mover exércitos de"], [/\btrade, build, or end the turn\b/g, "troque, construa ou termine a vez"],
  [/\bplace a settlement\b/g, "coloque um povoado"], [/\bplace a road at\b/g, "coloque uma estrada em"], [/\bmove the robber\b/g, "mova o ladrão"], [/\banswer the offer\b/g, "responda à proposta"],
  [/\bconfirm a trade, or withdraw\b/g, "confirme uma troca ou retire"], [/\bnobody gets anything\b/g, "ninguém recebe nada"], [/\bmust discard\b/g, "deve descartar"], [/\bacts unseen\b/g, "joga sem ser visto"],
  [/\bdraws a card\b/g, "tira uma carta"], [/\bsteals a card\b/g, "rouba uma carta"], [/\bdevelopment card(s?)\b/g, "carta$1 de desenvolvimento"], [/\byear of plenty\b/g, "ano de fartura"], [/\broad building\b/g, "construção de estradas"],
  [/\bvictory point\b/g, "ponto de vitória"], [/\blongest road\b/g, "maior estrada"], [/\blargest army\b/g, "maior exército"], [/\bhas won\b/g, "venceu"], [/\bhas given up\b/g, "desistiu"], [/\bthe limit of turns is reached\b/g, "o limite de rodadas foi atingido"],
  [/\bbuy card\b/g, "comprar carta"], [/\bbegins turn\b/g, "começa a rodada"], [/\beliminates\b/g, "elimina"], [/\bto conquer\b/g, "de conquistar"], [/\barmies left on average\b/g, "exércitos restantes em média"],
  [/\bplayer (\d)/g, "jogador $1"], [/\bcolumn\b/g, "coluna"], [/\bloses\b/g, "perde"], [/\bfalls\b/g, "cai"], [/\bagainst\b/g, "contra"], [/\battack\b/g, "atacar"], [/\bclaim\b/g, "ocupar"], [/\bplace\b/g, "colocar"],
  [/\bmove\b/g, "mover"], [/\bdone\b/g, "pronto"], [/\btrade\b/g, "trocar"], [/\barmies\b/g, "exércitos"], [/\barmy\b/g, "exército"], [/\bdice\b/g, "dados"], [/\broll\b/g, "rolar"], [/\bend\b/g, "terminar"],
  [/\boffer\b/g, "oferta"], [/\bcounter\b/g, "contraproposta"], [/\baccept\b/g, "aceita"], [/\breject\b/g, "recusa"], [/\bwithdraw\b/g, "retira"], [/\bconfirm\b/g, "confirma"], [/\bbank\b/g, "banco"], [/\bdiscard\b/g, "descartar"],
  [/\brobber\b/g, "ladrão"], [/\bknights?\b/g, "cavaleiro"], [/\bmonopoly\b/g, "monopólio"], [/\bsettlement(s?)\b/g, "povoado$1"], [/\bcities\b/g, "cidades"], [/\bcity\b/g, "cidade"], [/\broad(s?)\b/g, "estrada$1"],
  [/\blumber\b/g, "madeira"], [/\bbrick\b/g, "tijolo"], [/\bwool\b/g, "lã"], [/\bgrain\b/g, "trigo"], [/\bore\b/g, "minério"], [/\bgets\b/g, "recebe"], [/\bgives\b/g, "dá"], [/\btakes\b/g, "toma"], [/\bsteals\b/g, "rouba"], [/\bdraws\b/g, "tira"],
  [/\bcards\b/g, "cartas"], [/\bcard\b/g, "carta"], [/\bfrom\b/g, "de"], [/\bfor\b/g, "por"], [/\bwith\b/g, "com"], [/\band\b/g, "e"], [/\bleft\b/g, "restantes"], [/\bmore\b/g, "a mais"], [/\bterritories\b/g, "territórios"], [/\bat\b/g, "em"], [/\bto\b/g, "para"], [/\bin\b/g, "em"], [/\bof\b/g, "de"],
];

/** Return what the server has written, translated. */
export function words(text) {
  if (settings.language !== "pt") return text;
  return PHRASES.reduce((result, [pattern, phrase]) => result.replace(pattern, phrase), text);
}
