/* The parts that the page fetches later know more of dice: words that this browser never gave. */
fair.besides = (roll) => dice.foreign(roll);
